"""The domain of each library that BigCodeBench's tasks name: seven, as published by its authors."""

from collections.abc import Collection, Mapping
from typing import Final

# BigCodeBench (arXiv 2406.15877), the table of libraries by domain of its repository, 2024-08.
_LIBRARIES: Final[Mapping[str, str]] = {
    "Computation": (
        "IPython Levenshtein cmath cv2 gensim geopandas keras librosa math nltk numpy obspy pandas pytesseract scipy "
        "shapely skimage sklearn soundfile statistics statsmodels sympy tensorflow textblob torch wordninja"
    ),
    "Cryptography": "Crypto base64 binascii blake3 codecs cryptography hashlib hmac rsa secrets",
    "General": (
        "argparse array ast bisect builtins collections copy decimal difflib enum faker fnmatch functools heapq "
        "importlib inspect itertools multidict natsort operator pkgutil pprint prettytable queue random re regex "
        "string texttable textwrap types typing unicodedata uuid warnings"
    ),
    "Network": (
        "bs4 cgi chardet django email flask flask_login flask_mail flask_restful flask_wtf ftplib geopy html http "
        "ipaddress lxml mechanize mimetypes pyquery python_http_client requests selenium sendgrid smtplib socket ssl "
        "urllib werkzeug wikipedia wtforms xml xmltodict"
    ),
    "System": (
        "aspose configparser csv ctypes docx docxtpl errno filecmp getpass glob gzip imp io json locale logging "
        "multiprocessing openpyxl os pathlib pickle platform psutil select shlex shutil signal sqlalchemy sqlite3 "
        "struct subprocess sys tarfile threading xlrd xlwt yaml zipfile zlib"
    ),
    "Time": "calendar datetime dateutil holidays pytz time",
    "Visualization": "PIL folium matplotlib mpl_toolkits seaborn turtle wordcloud",
}
DOMAINS: Final = tuple(_LIBRARIES)
_DOMAIN_BY_LIBRARY: Final = {
    library: domain for domain, libraries in _LIBRARIES.items() for library in libraries.split()
}


def domains_of(libraries: Collection[str]) -> tuple[str, ...]:
    """Return the domains of some libraries, each once and in order; unknown libraries have none."""
    present = {_DOMAIN_BY_LIBRARY[library] for library in libraries if library in _DOMAIN_BY_LIBRARY}
    return tuple(domain for domain in DOMAINS if domain in present)
