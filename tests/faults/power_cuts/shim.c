/* Loaded into a process by LD_PRELOAD, it writes down every change of files below one folder, in order.
 *
 * POWER_CUT_FOLDER is the folder (a real path), POWER_CUT_TRACE the file to append to. A write and its record
 * are made under one lock, so that records have the order of the changes. A sync has a record when it begins
 * and one when it ends: only what was written before its beginning is on the disk at its end. Nothing is
 * really synced. Instead of that the caller sleeps, so that other threads go on, as they do during a sync.
 *
 * trace.py reads the records. A change in a way that is not intercepted (a memory map, stdio's own buffers)
 * is missing here; the tests notice it, because the records then do not lead to the files that are there.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define SYNC_MICROSECONDS 300

struct record {
    uint32_t kind, first_length, second_length, data_length;
    int64_t inode, place;
} __attribute__((packed));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int trace = -1;
static int64_t syncs;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__)) dlsym(RTLD_NEXT, name)

static void fail(const char *why) {
    fprintf(stderr, "power cut trace: %s: %s\n", why, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("POWER_CUT_FOLDER"), *path = getenv("POWER_CUT_TRACE");
    if (!where || !path) return;
    strncpy(folder, where, sizeof folder - 1);
    folder_length = strlen(folder);
    trace = (int) syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (trace < 0) fail(path);
}

static void write_record(char kind, int64_t inode, int64_t place, const char *first, const char *second,
                         const void *data, size_t length) {
    struct record head = {kind, first ? strlen(first) : 0, second ? strlen(second) : 0, length, inode, place};
    struct iovec parts[] = {{&head, sizeof head}, {(void *) first, head.first_length},
                            {(void *) second, head.second_length}, {(void *) data, length}};
    ssize_t all = sizeof head + head.first_length + head.second_length + length;
    if (syscall(SYS_writev, trace, parts, 4) != all) fail("the trace cannot be written");
}

static int is_traced(const char *path) {
    return trace >= 0 && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/* Write the path of an open file into `path`, and return whether it is traced. */
static int path_of(int file, char *path) {
    if (trace < 0) return 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_traced(path);
}

/* Write `name` as an absolute path into `path`, and return whether it is traced. */
static int absolute(int at, const char *name, char *path) {
    if (trace < 0) return 0;
    int saved = errno;
    char base[PATH_MAX] = "";
    if (name[0] != '/') {
        if (at == AT_FDCWD) { if (!getcwd(base, sizeof base)) base[0] = 0; }
        else path_of(at, base);
    }
    errno = saved;
    if (snprintf(path, PATH_MAX, "%s%s%s", base, base[0] ? "/" : "", name) >= PATH_MAX) return 0;
    return is_traced(path);
}

static int64_t inode_of(int file) {
    struct stat found;
    return fstat(file, &found) ? -1 : (int64_t) found.st_ino;
}

/* What the process knows now; it has its place among the records. */
void power_cut_acknowledge(const char *data, size_t length) {
    if (trace < 0) return;
    pthread_mutex_lock(&lock);
    write_record('A', 0, 0, NULL, NULL, data, length);
    pthread_mutex_unlock(&lock);
}

static int traced_open(int at, const char *name, int flags, mode_t mode) {
    REAL(int, "openat64", int, const char *, int, ...);
    if (trace < 0) return real(at, name, flags, mode);
    pthread_mutex_lock(&lock);
    int file = real(at, name, flags, mode);
    int saved = errno;
    char path[PATH_MAX];
    if (file >= 0 && path_of(file, path)) {
        if ((flags & O_TMPFILE) == O_TMPFILE) fail("O_TMPFILE is not modelled");
        int truncates = (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
        write_record('O', inode_of(file), truncates, path, NULL, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = saved;
    return file;
}

#define MODE \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *name, int flags, ...) { MODE return traced_open(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE return traced_open(AT_FDCWD, name, flags | O_LARGEFILE, mode); }
int openat(int at, const char *name, int flags, ...) { MODE return traced_open(at, name, flags, mode); }
int openat64(int at, const char *name, int flags, ...) { MODE return traced_open(at, name, flags | O_LARGEFILE, mode); }
int creat(const char *name, mode_t mode) { return traced_open(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return creat(name, mode); }

static int is_file(int file, char *path) {
    struct stat found;
    return trace >= 0 && file != trace && !fstat(file, &found) && S_ISREG(found.st_mode) && path_of(file, path);
}

/* `place` is -1 for a write at the file's own position. */
static ssize_t traced_write(int file, const void *data, size_t length, off_t place) {
    char path[PATH_MAX];
    int saved = errno, traced = is_file(file, path);
    errno = saved;
    if (traced) pthread_mutex_lock(&lock);
    ssize_t written = place < 0 ? syscall(SYS_write, file, data, length) : syscall(SYS_pwrite64, file, data, length, place);
    if (traced) {
        saved = errno;
        if (written > 0) {
            if (place < 0) place = lseek(file, 0, SEEK_CUR) - written;
            write_record('W', inode_of(file), place, path, NULL, data, written);
        }
        pthread_mutex_unlock(&lock);
        errno = saved;
    }
    return written;
}

ssize_t write(int file, const void *data, size_t length) { return traced_write(file, data, length, -1); }
ssize_t pwrite(int file, const void *data, size_t length, off_t place) { return traced_write(file, data, length, place); }
ssize_t pwrite64(int file, const void *data, size_t length, off64_t place) { return traced_write(file, data, length, place); }

static int traced_truncate(int file, off_t length) {
    char path[PATH_MAX];
    int traced = is_file(file, path);
    if (traced) pthread_mutex_lock(&lock);
    int done = (int) syscall(SYS_ftruncate, file, length);
    if (traced) {
        int saved = errno;
        if (!done) write_record('T', inode_of(file), length, path, NULL, NULL, 0);
        pthread_mutex_unlock(&lock);
        errno = saved;
    }
    return done;
}

int ftruncate(int file, off_t length) { return traced_truncate(file, length); }
int ftruncate64(int file, off64_t length) { return traced_truncate(file, length); }

static int traced_sync(int64_t inode, const char *path) {
    pthread_mutex_lock(&lock);
    int64_t number = ++syncs;
    write_record('F', inode, number, path, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    usleep(SYNC_MICROSECONDS);
    pthread_mutex_lock(&lock);
    write_record('f', inode, number, path, NULL, NULL, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int file) {
    char path[PATH_MAX];
    return path_of(file, path) ? traced_sync(inode_of(file), path) : (int) syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    char path[PATH_MAX];
    return path_of(file, path) ? traced_sync(inode_of(file), path) : (int) syscall(SYS_fdatasync, file);
}
/* Everything is synced: there is no inode 0. */
void sync(void) { if (trace >= 0) traced_sync(0, ""); else syscall(SYS_sync); }
int syncfs(int file) { return trace >= 0 ? traced_sync(0, "") : (int) syscall(SYS_syncfs, file); }

/* A change of names: made and written down under the lock. */
#define NAMES(kind, act, at, name, at2, name2) do { \
        char path[PATH_MAX], path2[PATH_MAX] = ""; \
        const char *second = (name2); \
        int traced = absolute(at, name, path); \
        if (second) traced |= absolute(at2, second, path2); \
        if (traced) pthread_mutex_lock(&lock); \
        int done = (int) (act); \
        int saved = errno; \
        if (traced) { \
            if (!done) write_record(kind, 0, 0, path, path2, NULL, 0); \
            pthread_mutex_unlock(&lock); \
        } \
        errno = saved; \
        return done; \
    } while (0)

int mkdirat(int at, const char *name, mode_t mode) { NAMES('M', syscall(SYS_mkdirat, at, name, mode), at, name, 0, NULL); }
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }
int renameat2(int at, const char *name, int at2, const char *name2, unsigned flags) {
    if (flags > 1) fail("an exchange of names is not modelled");
    NAMES('R', syscall(SYS_renameat2, at, name, at2, name2, flags), at, name, at2, name2);
}
int renameat(int at, const char *name, int at2, const char *name2) { return renameat2(at, name, at2, name2, 0); }
int rename(const char *name, const char *name2) { return renameat2(AT_FDCWD, name, AT_FDCWD, name2, 0); }
int linkat(int at, const char *name, int at2, const char *name2, int flags) {
    NAMES('L', syscall(SYS_linkat, at, name, at2, name2, flags), at, name, at2, name2);
}
int link(const char *name, const char *name2) { return linkat(AT_FDCWD, name, AT_FDCWD, name2, 0); }
int unlinkat(int at, const char *name, int flags) { NAMES('U', syscall(SYS_unlinkat, at, name, flags), at, name, 0, NULL); }
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char *name) {
    struct stat found;
    if (lstat(name, &found)) return -1;
    return unlinkat(AT_FDCWD, name, S_ISDIR(found.st_mode) ? AT_REMOVEDIR : 0);
}
