# Tries to widen its own limits; accepted when it cannot.
import resource

widened = []
for name in ("RLIMIT_AS", "RLIMIT_NPROC", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE"):
    kind = getattr(resource, name)
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        widened.append(name)
    except (ValueError, OSError):
        pass
print(widened or "kept")
