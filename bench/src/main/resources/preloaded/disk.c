/*
 * A disk that fails on demand and remembers what it was told, put between a process and the C library by LD_PRELOAD.
 *
 * Files below FAULTY_DISK_ROOT are watched, except those that need not survive: "*-shm", "*.lock", "*.log" and what is in "native/".
 * FAULTY_DISK_CONTROL names a file of four 32-bit integers that may change at any time:
 *   0  what a flush does: 0 works, 1 fails with EIO, 2 claims to work and does nothing
 *   1  how long a flush takes on top, in milliseconds
 *   2  whether the disk is full: 1 lets no file grow
 *   3  how many flushes have failed or lied so far (written here)
 * FAULTY_DISK_LOG, if set, names the file to which every change and every flush is appended:
 *   kind (1 byte), length of the name (2), length of the data (4), a number (8), name, data; little-endian, name relative to the root
 *   W a write at that offset, T a truncation to that length, C a file that was created, U one that was removed, R one that was renamed
 *   (data: the new name), L one that got a second name (data: that name), S a flush that covers what was logged before that position, D the same for a directory's names
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
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FLUSH, DELAY_MS, FULL, REFUSED };
enum { FLUSH_WORKS, FLUSH_FAILS, FLUSH_LIES };

#define MAX_FD 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static volatile int32_t *control;
static int32_t no_control[4];
static int log_fd = -1;
static uint64_t log_length;
static char *watched[MAX_FD]; /* the name below the root, "" for the root itself, NULL for files of no interest */

static int (*real_open)(const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);
static int (*real_close)(int);

static void find_real(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_write = dlsym(RTLD_NEXT, "write");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_link = dlsym(RTLD_NEXT, "link");
  real_close = dlsym(RTLD_NEXT, "close");
}

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("FAULTY_DISK_ROOT");
  const char *by = getenv("FAULTY_DISK_CONTROL");
  const char *to = getenv("FAULTY_DISK_LOG");
  find_real();
  control = no_control;
  if (where == NULL || realpath(where, root) == NULL) {
    return;
  }
  root_length = strlen(root);
  if (by != NULL) {
    int fd = real_open(by, O_RDWR);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof no_control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) {
      fprintf(stderr, "the disk's control %s cannot be used\n", by);
      _exit(99);
    }
    control = mapped;
    real_close(fd);
  }
  if (to != NULL) {
    struct stat found;
    log_fd = real_open(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (log_fd < 0 || fstat(log_fd, &found) != 0) {
      fprintf(stderr, "the disk's log %s cannot be written\n", to);
      _exit(99);
    }
    log_length = (uint64_t)found.st_size;
  }
}

static int ends_with(const char *name, const char *end) {
  size_t n = strlen(name), e = strlen(end);
  return n >= e && strcmp(name + n - e, end) == 0;
}

/* The name below the root of a path that is to be watched, or NULL. The caller frees it. */
static char *name_of(const char *path) {
  char absolute[PATH_MAX * 2];
  const char *name;
  if (root_length == 0 || path == NULL) {
    return NULL;
  }
  if (path[0] == '/') {
    snprintf(absolute, sizeof absolute, "%s", path);
  } else {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == NULL) {
      return NULL;
    }
    snprintf(absolute, sizeof absolute, "%s/%s", here, path);
  }
  if (strncmp(absolute, root, root_length) != 0 || (absolute[root_length] != '/' && absolute[root_length] != 0)) {
    return NULL;
  }
  name = absolute + root_length;
  while (*name == '/') {
    name++;
  }
  if (ends_with(name, "-shm") || ends_with(name, ".lock") || ends_with(name, ".log") || strncmp(name, "native", 6) == 0) {
    return NULL;
  }
  return strdup(name);
}

static const char *name_at(int fd) { return fd >= 0 && fd < MAX_FD ? watched[fd] : NULL; }

/* With the lock held. */
static void note(char kind, const char *name, uint64_t number, const void *data, size_t length) {
  unsigned char head[15];
  uint16_t name_length = (uint16_t)strlen(name);
  uint32_t data_length = (uint32_t)length;
  struct iovec parts[3] = {{head, sizeof head}, {(void *)name, name_length}, {(void *)data, length}};
  size_t all = sizeof head + name_length + length;
  if (log_fd < 0) {
    return;
  }
  head[0] = (unsigned char)kind;
  memcpy(head + 1, &name_length, 2);
  memcpy(head + 3, &data_length, 4);
  memcpy(head + 7, &number, 8);
  if (real_writev(log_fd, parts, 3) != (ssize_t)all) {
    fprintf(stderr, "the disk's log is full\n");
    _exit(99);
  }
  log_length += all;
}

static int is_full(int fd, off_t end) {
  struct stat found;
  return control[FULL] && fstat(fd, &found) == 0 && end > found.st_size;
}

static int opened(int fd, char *name, int is_new) {
  if (fd < 0 || fd >= MAX_FD) {
    free(name);
    return fd;
  }
  pthread_mutex_lock(&lock);
  free(watched[fd]);
  watched[fd] = name;
  if (name != NULL && is_new) {
    note('C', name, 0, "", 0);
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  char *name;
  int is_new, fd;
  if (real_open == NULL) {
    find_real();
  }
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  name = name_of(path);
  if (name == NULL) {
    return opened(real_open(path, flags, mode), NULL, 0);
  }
  is_new = (flags & O_CREAT) && access(path, F_OK) != 0;
  fd = real_open(path, flags, mode);
  if (fd >= 0 && (flags & O_TRUNC) && !is_new) {
    pthread_mutex_lock(&lock);
    note('T', name, 0, "", 0);
    pthread_mutex_unlock(&lock);
  }
  return opened(fd, name, is_new);
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  return open64(path, flags, mode);
}

int close(int fd) {
  if (name_at(fd) != NULL) {
    pthread_mutex_lock(&lock);
    free(watched[fd]);
    watched[fd] = NULL;
    pthread_mutex_unlock(&lock);
  }
  if (real_close == NULL) {
    find_real();
  }
  return real_close(fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
  const char *name = name_at(fd);
  ssize_t written;
  if (name == NULL) {
    return real_pwrite(fd, bytes, count, at);
  }
  if (is_full(fd, at + (off_t)count)) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  written = real_pwrite(fd, bytes, count, at);
  if (written > 0) {
    note('W', name, (uint64_t)at, bytes, (size_t)written);
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

static off_t place_of_next_write(int fd) {
  struct stat found;
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_APPEND) && fstat(fd, &found) == 0 ? found.st_size : lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  const char *name = name_at(fd);
  ssize_t written;
  off_t at;
  if (real_write == NULL) {
    find_real();
  }
  if (name == NULL) {
    return real_write(fd, bytes, count);
  }
  at = place_of_next_write(fd);
  if (is_full(fd, at + (off_t)count)) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  written = real_write(fd, bytes, count);
  if (written > 0) {
    note('W', name, (uint64_t)at, bytes, (size_t)written);
  }
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  /* A short count is allowed, and whoever watches sees one kind of write less. */
  return name_at(fd) == NULL || count == 0 ? real_writev(fd, parts, count) : write(fd, parts[0].iov_base, parts[0].iov_len);
}

int ftruncate64(int fd, off_t length) {
  const char *name = name_at(fd);
  int result;
  if (name == NULL) {
    return real_ftruncate(fd, length);
  }
  if (is_full(fd, length)) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  result = real_ftruncate(fd, length);
  if (result == 0) {
    note('T', name, (uint64_t)length, "", 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int flush(int fd, int (*real)(int)) {
  const char *name = name_at(fd);
  struct stat found;
  uint64_t covered;
  int result;
  if (name == NULL) {
    return real(fd);
  }
  if (control[DELAY_MS] > 0) {
    struct timespec delay = {control[DELAY_MS] / 1000, control[DELAY_MS] % 1000 * 1000000L};
    nanosleep(&delay, NULL);
  }
  if (control[FLUSH] != FLUSH_WORKS) {
    __atomic_add_fetch(&control[REFUSED], 1, __ATOMIC_SEQ_CST);
  }
  if (control[FLUSH] == FLUSH_FAILS) {
    errno = EIO;
    return -1;
  }
  if (control[FLUSH] == FLUSH_LIES) {
    return 0;
  }
  pthread_mutex_lock(&lock);
  covered = log_length;
  pthread_mutex_unlock(&lock);
  result = real(fd);
  if (result == 0) {
    pthread_mutex_lock(&lock);
    note(fstat(fd, &found) == 0 && S_ISDIR(found.st_mode) ? 'D' : 'S', name, covered, "", 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

int fsync(int fd) { return flush(fd, real_fsync); }

int fdatasync(int fd) { return flush(fd, real_fdatasync); }

int unlink(const char *path) {
  char *name = name_of(path);
  int result;
  pthread_mutex_lock(&lock);
  result = real_unlink(path);
  if (result == 0 && name != NULL) {
    note('U', name, 0, "", 0);
  }
  pthread_mutex_unlock(&lock);
  free(name);
  return result;
}

static int name_anew(char kind, int (*real)(const char *, const char *), const char *from, const char *to) {
  char *old_name = name_of(from), *new_name = name_of(to);
  int result;
  pthread_mutex_lock(&lock);
  result = real(from, to);
  if (result == 0 && old_name != NULL && new_name != NULL) {
    note(kind, old_name, 0, new_name, strlen(new_name));
  }
  pthread_mutex_unlock(&lock);
  free(old_name);
  free(new_name);
  return result;
}

int rename(const char *from, const char *to) { return name_anew('R', real_rename, from, to); }

int link(const char *from, const char *to) { return name_anew('L', real_link, from, to); }
