"""Tables of TeX commands and their meaning as plain text; a command in no table is not guessed at."""

import re
from typing import Final

SECTIONS: Final = frozenset({"section", "subsection", "subsubsection", "paragraph", "chapter"})
INLINE: Final = frozenset(
    {"emph", "textit", "textbf", "textsl", "textrm", "textsf", "textsc", "textup", "textnormal", "underline", "mbox",
     "text", "bf", "it", "sl", "sc", "rm", "sf", "em", "caption", "small", "uline", "fbox", "hbox", "enquote", "sout"}
)  # fmt: skip
MONO: Final = frozenset({"texttt", "t", "tt", "ttfamily"})
IGNORED: Final = frozenset(
    {"noindent", "indent", "smallskip", "medskip", "bigskip", "centering", "newpage", "clearpage", "hfill", "vfill",
     "large", "Large", "LARGE", "huge", "Huge", "footnotesize", "normalsize", "scriptsize", "tiny", "hline", "toprule",
     "midrule", "bottomrule", "raggedright", "raggedleft", "nopagebreak", "pagebreak", "leavevmode", "displaystyle",
     "bfseries", "itshape", "rmfamily", "sffamily", "scshape", "protect", "sloppy", "strut", "selectfont",
     "frenchspacing", "relax", "null", "InputFile", "OutputFile", "upshape", "mdseries", "normalfont", "nextsample",
     "remainingsamples"}
)  # fmt: skip
# Commands without meaning for the problem, with their number of arguments.
DROPPED: Final = {"vspace": 1, "hspace": 1, "label": 1, "pagestyle": 1, "thispagestyle": 1, "usepackage": 1, "index": 1,
                  "setlength": 2, "cline": 1, "cmidrule": 1, "pagenumbering": 1}  # fmt: skip
SYMBOLS: Final = {
    "ldots": "...", "dots": "...", "textellipsis": "...", "textbackslash": "\\", "textasciitilde": "~",
    "textasciicircum": "^", "textless": "<", "textgreater": ">", "textbar": "|", "textunderscore": "_",
    "textquotesingle": "'", "textquotedbl": '"', "textdollar": "$", "textbullet": "\N{BULLET}", "S": "\N{SECTION SIGN}",
    "copyright": "\N{COPYRIGHT SIGN}", "texttimes": "\N{MULTIPLICATION SIGN}", "textdegree": "\N{DEGREE SIGN}",
    "textemdash": "\N{EM DASH}", "textendash": "\N{EN DASH}", "pounds": "\N{POUND SIGN}", "euro": "\N{EURO SIGN}",
    "LaTeX": "LaTeX", "TeX": "TeX", "par": "\n\n", "newline": "\n", "linebreak": "\n", "quad": " ", "qquad": "  ",
    "aa": "\N{LATIN SMALL LETTER A WITH RING ABOVE}", "AA": "\N{LATIN CAPITAL LETTER A WITH RING ABOVE}",
    "o": "\N{LATIN SMALL LETTER O WITH STROKE}", "O": "\N{LATIN CAPITAL LETTER O WITH STROKE}",
    "ae": "\N{LATIN SMALL LETTER AE}", "AE": "\N{LATIN CAPITAL LETTER AE}", "ss": "\N{LATIN SMALL LETTER SHARP S}",
    "l": "\N{LATIN SMALL LETTER L WITH STROKE}", "L": "\N{LATIN CAPITAL LETTER L WITH STROKE}",
    "i": "\N{LATIN SMALL LETTER DOTLESS I}", "oe": "\N{LATIN SMALL LIGATURE OE}",
}  # fmt: skip
ESCAPED: Final = {"%": "%", "&": "&", "_": "_", "#": "#", "{": "{", "}": "}", "$": "$", " ": " ", "\n": " ", ",": " ",
                  ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": "", "\t": " "}  # fmt: skip
ACCENTS: Final = {
    '"': "\u0308",
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
}
ACCENT_WORDS: Final = {"c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306", "k": "\u0328", "r": "\u030a"}
LIGATURES: Final = {"---": "\N{EM DASH}", "--": "\N{EN DASH}", "``": '"', "''": '"'}

LISTS: Final = frozenset({"itemize", "enumerate", "description", "compactitem", "compactenum"})
VERBATIM: Final = frozenset({"verbatim", "Verbatim", "lstlisting", "alltt"})
DISPLAYED: Final = frozenset(
    {"equation", "equation*", "align", "align*", "eqnarray", "eqnarray*", "gather", "gather*", "displaymath", "math",
     "multline", "multline*"}
)  # fmt: skip
# Environments that only place or style their text, with their number of arguments.
WRAPPERS: Final = {"center": 0, "flushleft": 0, "flushright": 0, "quote": 0, "quotation": 0, "figure": 0, "figure*": 0,
                   "table": 0, "table*": 0, "wrapfigure": 2, "minipage": 1, "samepage": 0, "small": 0, "multicols": 1,
                   "footnotesize": 0}  # fmt: skip
SECTION_BODIES: Final = frozenset({"Input", "Output", "Interaction"})  # of the problem package format
TABLES: Final = {"tabular": 1, "tabular*": 2, "tabularx": 2, "longtable": 1}

NAME: Final = re.compile(r"[A-Za-z]+")
BLANKS: Final = re.compile(r"[ \t]*\n?[ \t]*")
