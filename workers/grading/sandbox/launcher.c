/* Starts one program per test in fresh namespaces, inside bubblewrap. The C twin of zygote.py: same control
 * protocol, same three processes (launcher, init, program), same order of restrictions. Trusted; parses nothing
 * that a judged program wrote.
 *
 *   launcher FILTER CONTROL      the filter's path, the control socket's descriptor
 *
 * A request comes with the descriptors of stdin, stdout and stderr, then of files; its strings are the names that
 * these files get in the program's folder, then the arguments. A name that ends in / is an empty folder.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WALL = 1, CPU = 2, MEMORY = 4, STARVED = 8 };
enum { STAGE_NAMESPACES = 1, STAGE_MOUNT = 2, STAGE_INIT = 3, STAGE_PAYLOAD = 4, STAGE_FILES = 5 };
enum { STAGE_RUNNING = -1 }; /* no answer yet: the times so far */
enum { OUT_OF_MEMORY = 86, NO_PROGRAM = 126 }; /* exit codes: guest.py's, and a shell's */
enum { PIPE_PAGES = 16 }; /* that a pipe may hold, and no count of a process shows */
enum { PLACE = 64 }; /* what a folder of /proc is called, at most */
enum { SAMPLE_MS = 25, BRIEF_MS = 5, DENSE_MS = 250, TELL_MS = 100, TASKS = 4096, INODES = 8192, DESCRIPTORS = 1024, STREAMS = 3, FILES = 9, ARGUMENTS = 64, MESSAGE = 1 << 16 };

struct __attribute__((packed)) request {
    uint32_t cpu_ms, wall_ms;
    uint64_t space, memory_kb, file_size;
    uint32_t processes, descriptors, tmp_mb;
};

struct __attribute__((packed)) reply {
    int32_t stage, error, status;
    uint32_t enforced;
    uint64_t cpu_us, wall_us, starved_us, starved_by_others_us, peak_kb;
};

/* The wall limit stands still while tasks of the program wait for a CPU, but not beyond this many times itself. */
static const double MAX_WALL_STRETCH = 100;
static const double SURE = 3; /* standard deviations */
static const double MORE = 1.05, SLACK_MS = 30; /* than was counted: then some was not */

static int control;
static struct sock_fprog filter;
static int has_proc;
static uint64_t bytes_of_a_socket; /* that it may hold and no count of a process shows */

static void answer(struct reply reply) {
    if (send(control, &reply, sizeof reply, 0) < 0) _exit(1);
}

static void answer_failure(int stage, int error) {
    answer((struct reply){.stage = stage, .error = error});
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* --- the program ------------------------------------------------------------------------------------------- */

static void limit(int kind, uint64_t value) {
    struct rlimit both = {value, value};
    if (setrlimit(kind, &both) < 0) _exit(1);
}

static int set_limits(const struct request *request) {
    limit(RLIMIT_CPU, request->cpu_ms * 3ULL / 2000 + 5); /* a backstop, counted roughly: init looks much sooner */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, request->file_size);
    limit(RLIMIT_NPROC, request->processes);
    limit(RLIMIT_NOFILE, request->descriptors);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_AS, request->space);
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) < 0) return -1;
    stack.rlim_cur = stack.rlim_max;
    return setrlimit(RLIMIT_STACK, &stack);
}

static void program(const struct request *request, const int *streams, int says_broken, char **argv, char **envp) {
    for (int i = 0; i < STREAMS; i++)
        if (dup2(streams[i], 64 + i) < 0) goto broken;
    for (int i = 0; i < STREAMS; i++)
        if (dup2(64 + i, i) < 0) goto broken;
    if (fcntl(says_broken, F_DUPFD, 128) < 0 || dup3(128, STREAMS, O_CLOEXEC) < 0) goto broken;
    says_broken = STREAMS;
    if (syscall(SYS_close_range, STREAMS + 1, ~0U, 0) < 0) goto broken;
    if (set_limits(request) < 0) goto broken;
    setsid(); /* some kernels share CPUs among sessions: what init takes to look would be the program's */
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL); /* what the service ignores, it need not */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) goto broken;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) < 0) goto broken;
    execve(argv[0], argv, envp);
    int refused = errno;
    if (access(argv[0], X_OK) == 0) { /* what it was compiled to is no program, or too large: no failure of ours */
        dprintf(STDERR_FILENO, "this cannot be executed: %s\n", strerror(refused));
        _exit(refused == ENOMEM ? OUT_OF_MEMORY : NO_PROGRAM);
    }
    errno = refused;
broken:;
    unsigned char error = errno;
    if (write(says_broken, &error, 1) < 0) _exit(2);
    _exit(1);
}

/* --- pid 1 of a test ---------------------------------------------------------------------------------------- */

/* The sum of two lines of what is told in `file` of a place. Of memory in KiB, file pages are the page cache's. */
static uint64_t sum_in(const char *place, const char *file, const char *field, const char *other) {
    char path[PLACE + 16], line[256];
    uint64_t total = 0;
    snprintf(path, sizeof path, "%s/%s", place, file);
    FILE *facts = fopen(path, "re");
    if (!facts) return 0;
    while (fgets(line, sizeof line, facts))
        if (!strncmp(line, field, strlen(field)) || !strncmp(line, other, strlen(other)))
            total += strtoull(strchr(line, ':') + 1, NULL, 10);
    fclose(facts);
    return total;
}

/* Whether a process is not ending: while its memory is given back, on a busy machine for tens of ms, its descriptors
 * look as if they were hidden, and it hides none. */
static int has_memory(const char *place) {
    return sum_in(place, "status", "VmSize:", "VmSize:") > 0;
}

/* Where the kernel shows what a process holds: with its main thread or, where that has ended, with another. */
static int shown_at(const char *pid, char place[PLACE]) {
    int found = 0;
    char threads[PLACE];
    snprintf(place, PLACE, "/proc/%.16s", pid);
    if (has_memory(place)) return 1;
    snprintf(threads, sizeof threads, "/proc/%.16s/task", pid);
    DIR *all = opendir(threads);
    if (!all) return 0;
    for (struct dirent *each; !found && (each = readdir(all));) {
        if (each->d_name[0] == '.') continue;
        snprintf(place, PLACE, "/proc/%.16s/task/%.16s", pid, each->d_name);
        found = has_memory(place);
    }
    closedir(all);
    return found;
}

/* What a process holds; `fairly`, pages that forks share are split among them, which takes longer to find out. */
static uint64_t resident(const char *place, int fairly) {
    uint64_t total = fairly ? sum_in(place, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:") : 0;
    return total ? total : sum_in(place, "status", "RssAnon:", "RssShmem:");
}

static uint64_t number_in(const char *path, const char *form) {
    unsigned long long number = 0;
    FILE *facts = fopen(path, "re");
    if (facts && fscanf(facts, form, &number) != 1) number = 0;
    if (facts) fclose(facts);
    return number;
}

/* What the sockets of this network namespace may hold in KiB. */
static uint64_t in_sockets(void) {
    return number_in("/proc/self/net/sockstat", "sockets: used %llu") * bytes_of_a_socket >> 10;
}

/* The pipes that were found at a look, each once, whoever has its ends. */
struct pipes {
    int count;
    uint64_t ids[4 * TASKS * 2];
};

static void add_pipe(struct pipes *pipes, const struct stat *facts) {
    const uint64_t places = sizeof pipes->ids / sizeof *pipes->ids;
    uint64_t id = facts->st_ino * 31 + facts->st_dev + 1, at = id % places;
    if (pipes->count >= (int)places / 2) return;
    while (pipes->ids[at] && pipes->ids[at] != id) at = (at + 1) % places;
    if (!pipes->ids[at]) pipes->ids[at] = id, pipes->count++;
}

/* Find the pipes that a process has an end of. What it hides may all be pipes: then how many, with no name. */
static uint64_t find_pipes(const char *place, struct pipes *pipes) {
    char path[PLACE + 16];
    snprintf(path, sizeof path, "%s/fd", place);
    DIR *all = opendir(path);
    if (!all) {
        uint64_t room = errno == EACCES ? sum_in(place, "status", "FDSize:", "FDSize:") : 0;
        return has_memory(place) ? room : 0;
    }
    for (struct dirent *each; (each = readdir(all));) {
        struct stat facts;
        if (each->d_name[0] != '.' && !fstatat(dirfd(all), each->d_name, &facts, 0) && S_ISFIFO(facts.st_mode))
            add_pipe(pipes, &facts);
    }
    closedir(all);
    return 0;
}

/* What all processes hold in KiB. Unless pipes are counted, `exactly`, whatever descriptors there may be are some. */
static uint64_t held_by_all(int exactly, int fairly) {
    static struct pipes pipes;
    uint64_t total = in_sockets(), unnamed = 0;
    if (exactly) memset(&pipes, 0, sizeof pipes);
    DIR *all = opendir("/proc");
    if (!all) return 0;
    for (struct dirent *each; (each = readdir(all));) {
        if (each->d_name[0] < '1' || each->d_name[0] > '9' || !strcmp(each->d_name, "1")) continue;
        char place[PLACE];
        if (!shown_at(each->d_name, place)) continue;
        total += resident(place, fairly);
        unnamed += exactly ? find_pipes(place, &pipes) : sum_in(place, "status", "FDSize:", "FDSize:");
    }
    closedir(all);
    return total + (unnamed + (exactly ? pipes.count : 0)) * PIPE_PAGES * (sysconf(_SC_PAGESIZE) >> 10);
}

/* CPUs that the scheduler may put this process on: what it waits for besides is its own. */
static long usable_cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Time on a CPU and time ready to run without one, in nanoseconds, and how often it was given a CPU. */
struct times {
    uint64_t running, waiting, starts;
};

struct task {
    pid_t id;
    int known;
    struct times times, last;
    double ran, since; /* what all had likely run, and lost, by the look before its times last changed */
};

/* What all tasks but init's have run, and the time that was lost while they were ready to run without a CPU, in ms.
 * Tasks that wait for one another have the machine to themselves: no more time is lost than others took, and none
 * twice. The kernel tells of a wait when it ends, so it may have begun as early as the look before the task last ran.
 * `by_others` is the part that the CPU time of all other tasks of the test cannot explain: tasks that delayed one
 * another may have slept since.
 * Children whose parent ignores SIGCHLD end without leaving a count. `steady` is what tasks ran that were there at two
 * looks. Of the others, as many run at a look as run on average, so each stands for the interval: that is `brief`, and
 * the rest tells how sure it is. */
struct tasks {
    double running, waited, by_others, looked;
    double lost, claimed; /* what others may have taken so far, and up to where it is counted */
    double steady, brief, delayed, rates, squares, intervals, longest;
    double dense_until; /* looks are, while there are such */
    int looks;
    struct task lists[2][TASKS];
    int counts[2], current;
};

static struct times times_of(const char *pid, const char *task) {
    char path[80];
    struct times times = {0};
    snprintf(path, sizeof path, "/proc/%.16s/task/%.16s/schedstat", pid, task);
    FILE *facts = fopen(path, "re");
    if (!facts) return times;
    if (fscanf(facts, "%lu %lu %lu", &times.running, &times.waiting, &times.starts) != 3) times = (struct times){0};
    fclose(facts);
    return times;
}

/* Milliseconds that init has waited for a CPU. */
static double own_wait(void) {
    return has_proc ? times_of("1", "1").waiting / 1e6 : 0;
}

/* CPU time that a process has had up to this moment, in ms; 0 of one that has just ended. */
static double cpu_of(pid_t pid) {
    struct timespec t;
    clockid_t clock = (clockid_t)(~(unsigned)pid << 3 | 2); /* the kernel's process CPU clock of `pid` */
    return clock_gettime(clock, &t) < 0 ? 0 : t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Of a task that has a CPU or waits for one, the CPU that it had last; else -1. */
static int place_of(const char *pid, const char *task) {
    char path[80], line[512];
    int cpu = -1;
    snprintf(path, sizeof path, "/proc/%.16s/task/%.16s/stat", pid, task);
    FILE *facts = fopen(path, "re");
    if (!facts) return -1;
    const char *at = fgets(line, sizeof line, facts) ? strrchr(line, ')') : NULL;
    fclose(facts);
    if (!at || strncmp(at, ") R", 3)) return -1;
    for (int field = 2; at && field < 39; field++) at = strchr(at + 1, ' ');
    return at && sscanf(at, "%d", &cpu) == 1 ? cpu : -1;
}

/* A task as it is now; `at` is where it may be in the list of the last look: they come in the same order. */
static struct task found(const struct tasks *all, pid_t id, struct times times, int *at) {
    const struct task *before = all->lists[all->current];
    struct task task = {.id = id, .times = times, .ran = all->running + all->brief, .since = all->lost};
    int count = all->counts[all->current];
    for (int i = 0; i < count && !task.known; i++) {
        const struct task *old = &before[(*at + i) % count];
        if (old->id != id) continue;
        *at = (*at + i + 1) % count;
        task.known = 1;
        if (old->times.running <= times.running && old->times.waiting <= times.waiting)
            task.last = old->times, task.ran = old->ran, task.since = old->since;
    }
    return task;
}

static double ms_since(uint64_t now, uint64_t then) {
    return (now - then) / 1e6;
}

/* What was lost, of which each task's wait is a part. */
static void claim(struct tasks *all, struct task *task) {
    double begun = task->since > all->claimed ? task->since : all->claimed;
    double ran = ms_since(task->times.running, task->last.running);
    double waited = ms_since(task->times.waiting, task->last.waiting);
    double lost = least(waited, all->lost - begun), by_others = least(lost, ran + waited - (all->running + all->brief - task->ran));
    if (lost > 0) all->waited += lost, all->claimed = begun + lost;
    if (by_others > 0) all->by_others += by_others;
}

/* Whether a new process has a CPU: 1, or `before_us` where it may have lost that to init, which looks; else 0. The
 * kernel brings a task's clock up to date at its ticks only; but how often it came and went is always true. */
static double rate_of(const char *pid, uint64_t starts, double before_us) {
    char place[PLACE];
    snprintf(place, PLACE, "/proc/%.16s/task/%.16s", pid, pid);
    if (starts > sum_in(place, "status", "voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:")) return 1;
    return starts && place_of(pid, pid) == sched_getcpu() ? before_us : 0;
}

/* Add what came since the last look: of a task that has ended since, what was seen of it stays. Its moment is when all
 * is read: to read takes long where init waits for a CPU, too, and no task may have waited beyond it. From a
 * look at a moment that the program may have `chosen` follows nothing for children that end between looks. */
static void look(struct tasks *all, int chosen) {
    struct task *seen = all->lists[!all->current];
    int count = 0, at = 0;
    double before = all->running + all->brief, lost_before = all->lost, ran = 0, rate = 0, moment, interval, lost;
    DIR *processes = opendir("/proc");
    for (struct dirent *process; processes && (process = readdir(processes));) {
        if (process->d_name[0] < '1' || process->d_name[0] > '9' || !strcmp(process->d_name, "1")) continue;
        char path[64];
        snprintf(path, sizeof path, "/proc/%.16s/task", process->d_name);
        DIR *tasks = opendir(path);
        for (struct dirent *entry; tasks && count < TASKS && (entry = readdir(tasks));) {
            if (entry->d_name[0] == '.') continue;
            struct task *task = &seen[count++];
            *task = found(all, atoi(entry->d_name), times_of(process->d_name, entry->d_name), &at);
            double more = ms_since(task->times.running, task->last.running);
            ran += more;
            all->delayed += ms_since(task->times.waiting, task->last.waiting);
            if (task->known)
                all->steady += more;
            else if (!chosen && !strcmp(process->d_name, entry->d_name))
                rate += rate_of(process->d_name, task->times.starts, all->running / (all->running + all->delayed + 1e-9));
        }
        if (tasks) closedir(tasks);
    }
    if (processes) closedir(processes);
    moment = now();
    interval = moment - all->looked;
    if (!chosen) {
        rate = least(rate, usable_cpus());
        if (rate > 0) all->dense_until = moment + DENSE_MS;
        all->brief += rate * interval;
        all->rates += rate;
        all->squares += rate * rate;
        all->intervals += interval * interval;
        if (interval > all->longest) all->longest = interval;
        all->looks++;
    }
    all->running += ran;
    lost = interval - (all->running + all->brief - before) / usable_cpus();
    if (lost > 0) all->lost += lost;
    for (struct task *task = seen; task < seen + count; task++) {
        claim(all, task);
        if (memcmp(&task->times, &task->last, sizeof task->times)) task->ran = before, task->since = lost_before;
    }
    all->looked = moment;
    all->current = !all->current;
    all->counts[all->current] = count;
}

/* What waits that go on now may come to. */
static double pending(const struct tasks *all) {
    double most = 0;
    for (const struct task *task = all->lists[all->current]; task < all->lists[all->current] + all->counts[all->current]; task++) {
        char id[16];
        double lost = all->lost - (task->since > all->claimed ? task->since : all->claimed);
        snprintf(id, sizeof id, "%d", task->id);
        if (lost > most && place_of(id, id) >= 0) most = lost;
    }
    return most;
}

static double root(double square) {
    double root = square > 1 ? square : 1;
    for (int i = 0; i < 64; i++) root = (root + square / root) / 2;
    return root;
}

/* Milliseconds that the tasks have run, beyond chance. */
static double surely(const struct tasks *all) {
    if (!all->looks) return 0;
    double mean = all->rates / all->looks, spread = all->squares / all->looks - mean * mean;
    double variance = all->intervals * (spread > 0 ? spread : 0) + all->longest * all->longest;
    return all->steady + all->brief - SURE * root(variance);
}

/* Milliseconds that the tasks have run, of which the kernel has counted so many. Children whose parent ignores SIGCHLD
 * end without leaving a count: then more was seen than is counted, and what is sure beyond chance counts. */
static double taken(const struct tasks *all, double counted) {
    double most = counted > all->running ? counted : all->running, sure = surely(all);
    return all->running > MORE * counted + SLACK_MS && sure > most ? sure : most;
}

/* Collect whatever has ended but `pid`; whether that has, too. */
static int has_ended(pid_t pid) {
    for (siginfo_t facts = {0}; waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_pid; facts.si_pid = 0) {
        if (facts.si_pid == pid) return 1;
        waitpid(facts.si_pid, NULL, 0);
    }
    return 0;
}

static void watch(pid_t pid, const struct request *request, double started, struct reply *reply, struct tasks *all) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    double told = started, due = started + SAMPLE_MS, waited_before = own_wait();
    all->looked = started;
    while (!has_ended(pid)) {
        double cpu = cpu_of(pid), wall = now() - started;
        /* Not when a child ends, which a program chooses; but nobody is late by what was known a while ago. */
        int sampling = has_proc && (started + wall >= due || wall >= request->wall_ms + all->waited);
        if (sampling) look(all, started + wall < due), wall = all->looked - started;
        if (all->running > cpu) cpu = all->running;
        if (surely(all) > cpu) cpu = surely(all);
        double fair = request->wall_ms + all->waited;
        if (wall >= fair) fair += pending(all);
        double left = least(fair, request->wall_ms * MAX_WALL_STRETCH) - wall;
        if (!reply->enforced) {
            if (left <= 0) reply->enforced |= wall < fair ? STARVED : WALL;
            if (cpu >= request->cpu_ms) reply->enforced |= CPU;
            if (sampling) {
                uint64_t used = held_by_all(0, 0);
                if (used > request->memory_kb) used = held_by_all(1, 0);
                for (int i = 0; i < 2 && used > request->memory_kb; i++)
                    used = held_by_all(1, 1); /* twice: what those who end meanwhile shared counts again with others */
                if (used > request->memory_kb) reply->enforced |= MEMORY, reply->peak_kb = used;
            }
            if (reply->enforced) kill(-1, SIGKILL);
        }
        if (now() - told >= TELL_MS) {
            told = now();
            double starved = all->waited + pending(all);
            struct reply so_far = {.stage = STAGE_RUNNING, .cpu_us = cpu * 1e3, .wall_us = wall * 1e3, .starved_us = starved * 1e3, .starved_by_others_us = all->by_others * 1e3};
            send(control, &so_far, sizeof so_far, MSG_DONTWAIT); /* who does not listen now hears the next */
        }
        if (now() >= due) {
            unsigned char chance = 0; /* no program knows when it is looked at */
            if (getrandom(&chance, 1, GRND_NONBLOCK) < 0) chance = 128;
            due = now() + (now() < all->dense_until ? BRIEF_MS : SAMPLE_MS) * (0.5 + chance / 256.0);
        }
        double pause = least(due - now(), least(left, request->cpu_ms - cpu));
        struct timespec time = {0, (pause < 1 ? 1 : pause) * 1e6};
        waited_before = own_wait();
        sigtimedwait(&children, NULL, &time);
    }
    /* It may have ended when init began to wait for a CPU, to find that out; waits have a clock of their own. */
    double wall = now() - started - (own_wait() - waited_before);
    reply->wall_us = wall > 0 ? wall * 1e3 : 0;
    if (all->looks) look(all, 1);
    int status = 0;
    waitpid(pid, &status, 0);
    reply->status = status;
    reply->starved_us = all->waited * 1e3;
    reply->starved_by_others_us = all->by_others * 1e3;
}

static int mount_fresh(uint32_t megabytes) {
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    char options[64];
    snprintf(options, sizeof options, "size=%um,nr_inodes=%d,mode=1777", megabytes, INODES);
    if (mount("tmpfs", "/tmp", "tmpfs", flags, options) < 0) return -1;
    /* Without the rights to mount a procfs there is none: bubblewrap then made no /proc either. */
    /* Read-only: a session's share of the CPUs is set there. */
    if (has_proc && mount("proc", "/proc", "proc", flags | MS_RDONLY, "subset=pid") < 0) return -1;
    setsid();
    return chdir("/tmp");
}

/* Copied, so that the program may do with its files what it likes; the originals are sealed. */
static int place_files(char **names, const int *contents, int count) {
    for (int i = 0; i < count; i++) {
        struct stat facts;
        off_t at = 0;
        if (!names[i] || !names[i][0]) return errno = EINVAL, -1;
        if (names[i][strlen(names[i]) - 1] == '/') {
            if (mkdir(names[i], 0700) < 0) return -1;
            continue;
        }
        int fd = open(names[i], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 || fstat(contents[i], &facts) < 0) return -1;
        while (at < facts.st_size)
            if (sendfile(fd, contents[i], &at, facts.st_size - at) <= 0) return -1;
        close(fd);
    }
    return 0;
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct nothing[2] = {{0}};
    return syscall(SYS_capset, &header, nothing);
}

static void init(const struct request *request, const int *streams, int files, char **strings, char **envp) {
    struct reply reply = {0};
    int broken[2];
    char **argv = strings + files;
    if (mount_fresh(request->tmp_mb) < 0 || drop_capabilities() < 0 || pipe2(broken, O_CLOEXEC) < 0) {
        answer_failure(STAGE_MOUNT, errno);
        return;
    }
    if (place_files(strings, streams + STREAMS, files) < 0) {
        answer_failure(STAGE_FILES, errno);
        return;
    }
    double started = now();
    pid_t pid = fork();
    if (pid == 0) program(request, streams, broken[1], argv, envp);
    if (pid < 0) {
        answer_failure(STAGE_INIT, errno);
        return;
    }
    close(broken[1]);
    for (int i = 0; i < STREAMS + files; i++) close(streams[i]);
    static struct tasks all; /* of this test: init is forked for each */
    watch(pid, request, started, &reply, &all);
    /* End and reap all that the program left behind, so that its CPU time counts and nothing survives. */
    kill(-1, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) {}
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    double reaped_us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    reply.cpu_us = taken(&all, reaped_us / 1e3) * 1e3;
    if ((uint64_t)usage.ru_maxrss > reply.peak_kb) reply.peak_kb = usage.ru_maxrss;
    unsigned char error;
    if (read(broken[0], &error, 1) == 1) reply.stage = STAGE_PAYLOAD, reply.error = error; /* no writer is left */
    answer(reply);
}

/* --- the launcher ------------------------------------------------------------------------------------------- */

/* The request's length, and its descriptors with how many are files; 0 at the end and for what is no request. */
static ssize_t receive(char *message, size_t size, int *descriptors, int *files) {
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE((STREAMS + FILES) * sizeof(int))];
    } ancillary;
    struct iovec part = {message, size};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    ssize_t length = recvmsg(control, &header, 0);
    struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
    if (length <= 0 || !rights || rights->cmsg_len < CMSG_LEN(STREAMS * sizeof(int))) return 0;
    memcpy(descriptors, CMSG_DATA(rights), rights->cmsg_len - CMSG_LEN(0));
    *files = (rights->cmsg_len - CMSG_LEN(0)) / sizeof(int) - STREAMS;
    return length;
}

/* Until the next request or init's end. Its last step, the end of its namespaces, may go on beside the next test. */
static void settle(pid_t pid, int gone) {
    struct pollfd either[] = {{gone, POLLIN, 0}, {control, POLLIN, 0}};
    int status = 0;
    while (poll(either, 2, -1) < 0 && errno == EINTR) {}
    if (either[0].revents && waitpid(pid, &status, 0) == pid && status != 0) answer_failure(STAGE_INIT, 0);
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    close(gone);
}

static void serve(char **envp) {
    static char message[MESSAGE];
    int descriptors[STREAMS + FILES], files;
    ssize_t length;
    while ((length = receive(message, sizeof message - 1, descriptors, &files)) > (ssize_t)sizeof(struct request)) {
        struct request request;
        memcpy(&request, message, sizeof request);
        message[length] = 0;
        char *strings[FILES + ARGUMENTS + 1] = {0};
        char *at = message + sizeof request;
        for (int i = 0; i < files + ARGUMENTS && at < message + length; i++, at += strlen(at) + 1) strings[i] = at;
        int gone = -1;
        pid_t pid = syscall(SYS_clone, CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, 0, &gone, 0, 0);
        if (pid == 0) {
            init(&request, descriptors, files, strings, envp);
            _exit(0);
        }
        int error = errno;
        for (int i = 0; i < STREAMS + files; i++) close(descriptors[i]);
        if (pid < 0)
            answer_failure(STAGE_NAMESPACES, error);
        else
            settle(pid, gone);
    }
}

static int load_filter(const char *path) {
    static struct sock_filter code[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, code, sizeof code);
    if (length <= 0 || length % sizeof *code) return -1;
    close(fd);
    filter = (struct sock_fprog){.len = length / sizeof *code, .filter = code};
    return 0;
}

/* Data may be written to read-only devices all the same, but not their times, which would outlive the test. */
static int keep_times(void) {
    const char *devices[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom"};
    for (int i = 0; i < 4; i++)
        if (mount(NULL, devices[i], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC, NULL) < 0) return -1;
    return 0;
}

int main(int argc, char **argv, char **envp) {
    if (argc != 3 || load_filter(argv[1]) < 0) {
        fprintf(stderr, "usage: launcher FILTER CONTROL\n");
        return 2;
    }
    has_proc = access("/proc/self", F_OK) == 0;
    bytes_of_a_socket = number_in("/proc/sys/net/core/wmem_default", "%llu");
    limit(RLIMIT_NOFILE, DESCRIPTORS);
    control = fcntl(atoi(argv[2]), F_DUPFD_CLOEXEC, 0);
    close(atoi(argv[2]));
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    if (keep_times() < 0) {
        perror("the devices cannot be mounted read-only");
        return 2;
    }
    if (control < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || send(control, "ready", 5, 0) < 0) return 2;
    serve(envp);
    return 0;
}
