// Makes the system calls that write fail, or kills the program at one of them: a library for LD_PRELOAD (Linux).
//
//     cc -shared -fPIC -o faults.so faults.c -ldl
//     FAULT=EIO FAULT_AT=7 LD_PRELOAD=./faults.so pyramid build ...
//
// Counted are open and openat that may make a file; write, pwrite, ftruncate and close of such files; rename, unlink and mkdir in
// all spellings; fsync and syncfs.
//
//     FAULT       an error: EIO, ENOSPC, EINTR, EROFS, EMFILE; or
//                 SHORT   a write takes half of the bytes; other calls are made
//                 KILL    SIGKILL before the call
//                 TORN    SIGKILL after the call; a write has taken half of the bytes
//                 PAUSE   the call never returns
//                 DELAY   the call is made half a second later
//     FAULT_AT    the number of the call, from 1 on
//     FAULT_FOR   how many calls meet the fault; 1 unless given
//     FAULT_CALL  count only calls of this name; also readdir and pthread_create, which aren't counted otherwise
//     FAULT_THREADS  how many threads can be made; without it, any number
//     FAULT_LOG   a file to which every counted call appends a line: its name, and the path it is about
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum { DESCRIPTORS = 65536 };
static atomic_char is_written[DESCRIPTORS];
static atomic_long calls, threads;

static int error_number(const char *name) {
    if (!strcmp(name, "EIO")) return EIO;
    if (!strcmp(name, "ENOSPC")) return ENOSPC;
    if (!strcmp(name, "EINTR")) return EINTR;
    if (!strcmp(name, "EROFS")) return EROFS;
    if (!strcmp(name, "EMFILE")) return EMFILE;
    return 0;
}

static void append_to_log(const char *call, int directory, const char *path) {
    const char *log = getenv("FAULT_LOG");
    if (!log) return;
    char link[64], folder[PATH_MAX] = "", line[2 * PATH_MAX + 64];
    if (directory != AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        ssize_t count = readlink(link, folder, sizeof folder - 1);
        folder[count < 0 ? 0 : count] = 0;
    }
    int length = snprintf(line, sizeof line, "%s %s%s%s\n", call, folder, *folder && *path ? "/" : "", path);
    int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, line, length);
    syscall(SYS_close, file);
}

enum fault { NONE, ERROR, SHORT_WRITE, TORN_CALL };

// Counts a call. NONE: make it. ERROR: don't, errno is set. The other two are for the caller.
static enum fault next_fault(const char *call, int directory, const char *path) {
    const char *only = getenv("FAULT_CALL"), *fault = getenv("FAULT"), *at = getenv("FAULT_AT"), *count = getenv("FAULT_FOR");
    if (only && strcmp(only, call)) return NONE;
    long number = atomic_fetch_add(&calls, 1) + 1;
    append_to_log(call, directory, path);
    if (!fault || !at || number < atol(at) || number >= atol(at) + (count ? atol(count) : 1)) return NONE;
    if (!strcmp(fault, "SHORT")) return SHORT_WRITE;
    if (!strcmp(fault, "TORN")) return TORN_CALL;
    if (!strcmp(fault, "KILL")) kill(getpid(), SIGKILL);
    if (!strcmp(fault, "PAUSE")) for (;;) pause();
    if (!strcmp(fault, "DELAY")) return usleep(500000), NONE;
    errno = error_number(fault);
    if (errno) return ERROR;
    fprintf(stderr, "faults.c: there is no fault %s\n", fault);
    abort();
}

// Ends the program after a call that was to be its last.
static int done(enum fault fault, int result) {
    if (fault == TORN_CALL) kill(getpid(), SIGKILL);
    return result;
}

static void note(int file, int flags) {
    if (file >= 0 && file < DESCRIPTORS) is_written[file] = (flags & O_CREAT) != 0;
}

static int is_counted(int file) { return file >= 0 && file < DESCRIPTORS && is_written[file]; }

#define OPEN(name, call, directory, parameters, arguments)                       \
    int name parameters {                                                        \
        mode_t mode = 0;                                                         \
        if (flags & O_CREAT) {                                                   \
            va_list list;                                                        \
            va_start(list, flags);                                               \
            mode = va_arg(list, mode_t);                                         \
            va_end(list);                                                        \
        }                                                                        \
        enum fault fault = flags & O_CREAT ? next_fault(call, directory, path) : NONE; \
        if (fault == ERROR) return -1;                                           \
        int file = REAL(name) arguments;                                         \
        note(file, flags);                                                       \
        return done(fault, file);                                                \
    }

OPEN(open, "open", AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, "open", AT_FDCWD, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, "openat", directory, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))
OPEN(openat64, "openat", directory, (int directory, const char *path, int flags, ...), (directory, path, flags, mode))

ssize_t write(int file, const void *bytes, size_t count) {
    enum fault fault = is_counted(file) ? next_fault("write", file, "") : NONE;
    if (fault == ERROR) return -1;
    if (fault != NONE && count > 1) count /= 2;
    ssize_t written = syscall(SYS_write, file, bytes, count);
    done(fault, 0);
    return written;
}

static ssize_t write_at(int file, const void *bytes, size_t count, off_t offset) {
    enum fault fault = is_counted(file) ? next_fault("pwrite", file, "") : NONE;
    if (fault == ERROR) return -1;
    if (fault != NONE && count > 1) count /= 2;
    ssize_t written = syscall(SYS_pwrite64, file, bytes, count, offset);
    done(fault, 0);
    return written;
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return write_at(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return write_at(file, bytes, count, offset); }

int close(int file) {
    enum fault fault = is_counted(file) ? next_fault("close", file, "") : NONE;
    int code = errno;
    note(file, 0);
    int result = syscall(SYS_close, file);
    if (fault == ERROR) {
        errno = code;
        return -1;
    }
    return done(fault, result);
}

#define CALL(name, directory, path, parameters, arguments)         \
    int name parameters {                                          \
        enum fault fault = next_fault(#name, directory, path);     \
        return fault == ERROR ? -1 : done(fault, REAL(name) arguments); \
    }

CALL(mkdir, AT_FDCWD, path, (const char *path, mode_t mode), (path, mode))
CALL(mkdirat, directory, path, (int directory, const char *path, mode_t mode), (directory, path, mode))
CALL(unlink, AT_FDCWD, path, (const char *path), (path))
CALL(unlinkat, directory, path, (int directory, const char *path, int flags), (directory, path, flags))
CALL(rmdir, AT_FDCWD, path, (const char *path), (path))
CALL(rename, AT_FDCWD, to, (const char *from, const char *to), (from, to))
CALL(renameat, into, to, (int directory, const char *from, int into, const char *to), (directory, from, into, to))
CALL(fsync, file, "", (int file), (file))
CALL(syncfs, file, "", (int file), (file))

static int truncate_counted(int file, off_t size) {
    enum fault fault = is_counted(file) ? next_fault("ftruncate", file, "") : NONE;
    return fault == ERROR ? -1 : done(fault, syscall(SYS_ftruncate, file, size));
}
int ftruncate(int file, off_t size) { return truncate_counted(file, size); }
int ftruncate64(int file, off_t size) { return truncate_counted(file, size); }

// Counted only if FAULT_CALL names it.
struct dirent *readdir(DIR *directory) {
    const char *only = getenv("FAULT_CALL");
    if (only && !strcmp(only, "readdir") && next_fault("readdir", AT_FDCWD, "") == ERROR) return NULL;
    return REAL(readdir)(directory);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    const char *only = getenv("FAULT_CALL"), *limit = getenv("FAULT_THREADS");
    if (only && !strcmp(only, "pthread_create") && next_fault("pthread_create", AT_FDCWD, "") == ERROR) return errno;
    if (limit && atomic_fetch_add(&threads, 1) >= atol(limit)) return EAGAIN;
    return REAL(pthread_create)(thread, attributes, start, argument);
}
