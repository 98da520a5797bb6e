/* Moves the clock of a process by as many seconds as the file CAMPAIGN_CLOCK says: eight bytes, in the
 * machine's order. The file can change at any time. Only the time of day moves, as when somebody sets a clock:
 * what measures how long something takes goes on. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *moved;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("CAMPAIGN_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *there = mmap(NULL, sizeof *moved, PROT_READ, MAP_SHARED, file, 0);
    if (there != MAP_FAILED)
        moved = there;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int code = (int)syscall(SYS_clock_gettime, clock, now);
    if (code == 0 && moved && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += (time_t)*moved;
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec found;
    int code = clock_gettime(CLOCK_REALTIME, &found);
    if (code == 0) {
        now->tv_sec = found.tv_sec;
        now->tv_usec = found.tv_nsec / 1000;
    }
    return code;
}

time_t time(time_t *out) {
    struct timespec found;
    if (clock_gettime(CLOCK_REALTIME, &found) != 0)
        return (time_t)-1;
    if (out)
        *out = found.tv_sec;
    return found.tv_sec;
}
