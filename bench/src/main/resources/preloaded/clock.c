/*
 * A clock that is wrong by WRONG_CLOCK_MS milliseconds, put between a process and the C library by LD_PRELOAD. Only the time of day is wrong;
 * clocks that measure how long something takes are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#define SECOND 1000000000LL

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static long long offset;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("WRONG_CLOCK_MS");
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  offset = text == NULL ? 0 : atoll(text) * 1000000LL;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  int result;
  if (real_clock_gettime == NULL) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  }
  result = real_clock_gettime(id, at);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
    long long wrong = at->tv_sec * SECOND + at->tv_nsec + offset;
    at->tv_sec = wrong / SECOND;
    at->tv_nsec = wrong % SECOND;
  }
  return result;
}
