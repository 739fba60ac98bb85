// What pyramid and the packages it uses take from Darwin's C headers, with the types and the nullability that those have.
// Apple's manuals and the sources of xnu and Libc say them. Values of constants are of no concern to a type checker.
#include <stddef.h>
#include <stdint.h>

// sys/types.h
typedef int64_t off_t;
typedef uint16_t mode_t, nlink_t;
typedef int32_t dev_t, pid_t, blksize_t, suseconds_t;
typedef uint64_t ino_t, rlim_t;
typedef int64_t blkcnt_t;
typedef uint32_t uid_t, gid_t, id_t, socklen_t, in_addr_t, sigset_t, tcflag_t;
typedef unsigned int fsblkcnt_t, fsfilcnt_t, nfds_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef long ssize_t, time_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };

// errno.h
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define EALREADY 37
#define ENOTSOCK 38
#define ENOTSUP 45
#define EADDRINUSE 48
#define ECONNRESET 54
#define EISCONN 56
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define EOPNOTSUPP 102

// fcntl.h, sys/file.h
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NONBLOCK 4
#define O_APPEND 8
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x20
#define AT_REMOVEDIR 0x80
#define AT_SYMLINK_FOLLOW 0x40
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETPATH 50
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85
#define FD_CLOEXEC 1
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
struct flock { off_t l_start, l_len; pid_t l_pid; short l_type, l_whence; };
int flock(int, int);

// sys/stat.h
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags, st_gen;
    int32_t st_lspare;
    int64_t st_qspare[2];
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkdir(const char *, mode_t);
int mkdirat(int, const char *, mode_t);
int mkfifo(const char *, mode_t);
mode_t umask(mode_t);

// unistd.h, stdlib.h, stdio.h, sysexits.h
#define F_OK 0
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define R_OK (1 << 2)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#define EX_USAGE 64
#define MAXPATHLEN 1024
#define SYNC_VOLUME_FULLSYNC 0x01
#define SYNC_VOLUME_WAIT 0x02
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int close(int);
int link(const char *, const char *);
int unlink(const char *);
int unlinkat(int, const char *, int);
int linkat(int, const char *, int, const char *, int);
int rename(const char *, const char *);
int renameat(int, const char *, int, const char *);
int rmdir(const char *);
int symlink(const char *, const char *);
int access(const char *, int);
int fsync(int);
void sync(void);
int fsync_volume_np(int, int);
int truncate(const char *, off_t);
int ftruncate(int, off_t);
int mkstemp(char *);
int isatty(int);
char *ttyname(int);
int openpty(int *, int *, char *, struct termios *, struct winsize *);
pid_t getpid(void);
uid_t getuid(void);
uid_t geteuid(void);
int gethostname(char *, size_t);
int getdtablesize(void);
int pause(void);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
int pipe(int[2]);
int dup(int);
int dup2(int, int);
void _exit(int) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
int atexit(void (*)(void));
void free(void *);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
typedef struct __sFILE { int _file; } FILE;
int putc(int, FILE *);
int fputs(const char *restrict, FILE *restrict);
int fflush(FILE *);

// string.h, math.h
char *strerror(int);
char *strdup(const char *);
size_t strlen(const char *);
char *strncpy(char *, const char *, size_t);
void *memcpy(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), atan2(double, double);
double sinh(double), cosh(double), tanh(double), asinh(double), acosh(double), atanh(double);
double log(double), log2(double), log10(double), exp(double), exp2(double);
double floor(double), ceil(double), round(double), sqrt(double), pow(double, double), fabs(double), hypot(double, double);
double remainder(double, double);

// dirent.h
struct dirent {
    uint64_t d_ino, d_seekoff;
    uint16_t d_reclen, d_namlen;
    uint8_t d_type;
    char d_name[1024];
};
typedef struct { int __dd_fd; } DIR;
DIR *opendir(const char *);
DIR *fdopendir(int);
struct dirent *readdir(DIR *);
int closedir(DIR *);

// sys/mman.h, sys/resource.h, sys/statvfs.h, sys/sysctl.h
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define POSIX_MADV_DONTNEED 4
#define MADV_DONTNEED POSIX_MADV_DONTNEED
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int madvise(void *, size_t, int);
struct rlimit { rlim_t rlim_cur, rlim_max; };
#define RLIMIT_NOFILE 8
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt; };
#define RUSAGE_SELF 0
int getrusage(int, struct rusage *);
struct statvfs {
    unsigned long f_bsize, f_frsize;
    fsblkcnt_t f_blocks, f_bfree, f_bavail;
    fsfilcnt_t f_files, f_ffree, f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};
int statvfs(const char *restrict, struct statvfs *restrict);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);

// mach/mach.h
typedef int kern_return_t, integer_t;
typedef unsigned int natural_t, mach_port_t, mach_msg_type_number_t;
typedef mach_port_t host_t;
typedef integer_t host_flavor_t, *host_info64_t;
typedef uintptr_t vm_size_t;
typedef struct vm_statistics64 {
    natural_t free_count, active_count, inactive_count, wire_count;
    uint64_t zero_fill_count, reactivations, pageins, pageouts, faults, cow_faults, lookups, hits, purges;
    natural_t purgeable_count, speculative_count;
    uint64_t decompressions, compressions, swapins, swapouts;
    natural_t compressor_page_count, throttled_count, external_page_count, internal_page_count;
    uint64_t total_uncompressed_pages_in_compressor;
} vm_statistics64_data_t;
#define KERN_SUCCESS 0
#define HOST_VM_INFO64 4
extern vm_size_t vm_kernel_page_size;
mach_port_t mach_host_self(void);
kern_return_t host_page_size(host_t, vm_size_t *);
kern_return_t host_statistics64(host_t, host_flavor_t, host_info64_t, mach_msg_type_number_t *);

// libproc.h, sys/resource.h
typedef void *rusage_info_t;
struct rusage_info_v0 {
    uint8_t ri_uuid[16];
    uint64_t ri_user_time, ri_system_time, ri_pkg_idle_wkups, ri_interrupt_wkups, ri_pageins;
    uint64_t ri_wired_size, ri_resident_size, ri_phys_footprint, ri_proc_start_abstime, ri_proc_exit_abstime;
};
#define RUSAGE_INFO_V0 0
int proc_pid_rusage(int pid, int flavor, rusage_info_t *buffer);

// spawn.h, sys/wait.h, signal.h
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
int posix_spawnattr_init(posix_spawnattr_t *);
int posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_setsigmask(posix_spawnattr_t *restrict, const sigset_t *restrict);
int posix_spawnattr_setflags(posix_spawnattr_t *, short);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *restrict, int, const char *restrict, int, mode_t);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
int posix_spawn(
    pid_t *restrict, const char *restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *restrict,
    char *const __argv[restrict], char *const __envp[restrict]);
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
typedef struct __siginfo {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
    long si_band;
    unsigned long __pad[7];
} siginfo_t;
#define WEXITED 0x04
#define WNOWAIT 0x20
int waitid(idtype_t, id_t, siginfo_t *, int);
pid_t waitpid(pid_t, int *, int);
int kill(pid_t, int);
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGKILL 9
#define SIGBUS 10
#define SIGPIPE 13
#define SIGTERM 15
#define SIGSTOP 17
#define SIGCONT 19
#define SIGXFSZ 25
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
union __sigaction_u { void (*__sa_handler)(int); void (*__sa_sigaction)(int, struct __siginfo *, void *); };
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
void (*signal(int, void (*)(int)))(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
typedef struct _opaque_pthread_t *pthread_t;
int pthread_create(pthread_t _Nullable *_Nonnull, const void *_Nullable, void *_Nullable (*_Nonnull)(void *_Nonnull), void *_Nullable);
int pthread_join(pthread_t _Nonnull, void *_Nullable *_Nullable);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int sigwait(const sigset_t *restrict, int *restrict);

// os/lock.h, termios.h
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t);
_Bool os_unfair_lock_trylock(os_unfair_lock_t);
void os_unfair_lock_unlock(os_unfair_lock_t);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; };

// sys/socket.h, netinet/in.h, sys/un.h, netdb.h, arpa/inet.h, poll.h, sys/event.h
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_BROADCAST 0x0020
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_TYPE 0x1008
#define SO_NOSIGPIPE 0x1022
#define SOMAXCONN 128
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define AI_PASSIVE 1
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define IPPROTO_IP 0
#define IPPROTO_IPV6 41
#define IP_PKTINFO 26
#define IPV6_RECVPKTINFO 61
#define IPV6_PKTINFO 46
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char __ss_pad1[6]; int64_t __ss_align; char __ss_pad2[112]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
typedef struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __u6_addr; } in6_addr_t;
struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
struct sockaddr_un { unsigned char sun_len; sa_family_t sun_family; char sun_path[104]; };
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    char *ai_canonname;
    struct sockaddr *ai_addr;
    struct addrinfo *ai_next;
};
struct iovec { void *iov_base; size_t iov_len; };
struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    int msg_iovlen;
    void *msg_control;
    socklen_t msg_controllen;
    int msg_flags;
};
struct cmsghdr { socklen_t cmsg_len; int cmsg_level, cmsg_type; };
struct in_pktinfo { unsigned int ipi_ifindex; struct in_addr ipi_spec_dst, ipi_addr; };
struct in6_pktinfo { struct in6_addr ipi6_addr; unsigned int ipi6_ifindex; };
extern const struct in6_addr in6addr_any, in6addr_loopback;
int socket(int, int, int);
int connect(int, const struct sockaddr *, socklen_t);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *restrict, socklen_t *restrict);
int shutdown(int, int);
int getsockopt(int, int, int, void *restrict, socklen_t *restrict);
int setsockopt(int, int, int, const void *, socklen_t);
int getsockname(int, struct sockaddr *restrict, socklen_t *restrict);
int getpeername(int, struct sockaddr *restrict, socklen_t *restrict);
int socketpair(int, int, int, int *);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
ssize_t sendto(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
ssize_t recvfrom(int, void *, size_t, int, struct sockaddr *restrict, socklen_t *restrict);
ssize_t sendmsg(int, const struct msghdr *, int);
ssize_t recvmsg(int, struct msghdr *, int);
int getaddrinfo(
    const char *restrict, const char *restrict, const struct addrinfo *restrict, struct addrinfo **restrict);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);
const char *inet_ntop(int, const void *, char *, socklen_t);
int inet_pton(int, const char *, void *);
struct pollfd { int fd; short events, revents; };
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
int poll(struct pollfd *, nfds_t, int);
struct kevent { uintptr_t ident; int16_t filter; uint16_t flags; uint32_t fflags; intptr_t data; void *udata; };
#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_ENABLE 0x0004
#define EV_DISABLE 0x0008
#define EV_ONESHOT 0x0010
#define EV_CLEAR 0x0020
#define EV_EOF 0x8000
#define EV_ERROR 0x4000
#define NOTE_TRIGGER 0x01000000
int kqueue(void);
int kevent(int, const struct kevent *, int, struct kevent *, int, const struct timespec *);

// time.h
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6 } clockid_t;
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; char *tm_zone; };
time_t time(time_t *);
struct tm *gmtime_r(const time_t *restrict, struct tm *restrict);
size_t strftime(char *restrict, size_t, const char *restrict, const struct tm *restrict);
int clock_gettime(clockid_t, struct timespec *);
int utimes(const char *, const struct timeval *);
int futimens(int, const struct timespec[2]);
int utimensat(int, const char *, const struct timespec[2], int);
