/* A disk that forgets what was not synchronised: a library that is loaded into a program before all others.

   It replaces fsync and fdatasync. Neither reaches the kernel; instead, what is durable from then on is copied to
   another folder, the image, from which the harness (power_cut.rs) makes the data folder anew after the program was
   killed. The image has

     contents/ID   the bytes of a file as they were when it was synchronised last
     entries/ID    strict rules: the entries of a folder as they were when it was synchronised last
     tree          ext4 rules: the entries of all folders as they were when anything was synchronised last

   ID is the inode number and the time of birth, because inode numbers are used again. An entry is a line
   `f ID NAME` or `d ID NAME`; in `tree` a line `. ID` begins the entries of each folder.

   ext4 with its defaults writes its journal at every fsync, so that all earlier changes of all folders are durable
   too, and writes the bytes of a file that replaces another one by rename with the rename. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_LENGTH 64

static const char *data, *image;
static int is_strict;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
    data = getenv("POWER_CUT_DATA");
    image = getenv("POWER_CUT_IMAGE");
    const char *rules = getenv("POWER_CUT_RULES");
    is_strict = rules && strcmp(rules, "strict") == 0;
}

static void fail(const char *what) {
    fprintf(stderr, "power cut: %s: %s\n", what, strerror(errno));
    abort();
}

static void print_id(const struct statx *status, char *id) {
    snprintf(id, ID_LENGTH, "%llu-%lld.%09u", (unsigned long long)status->stx_ino,
             (long long)status->stx_btime.tv_sec, status->stx_btime.tv_nsec);
}

/* Returns the type of a file, 0 if there is none, and writes its ID. */
static unsigned identify(int folder, const char *name, int flags, char *id) {
    struct statx status;
    if (statx(folder, name, flags | AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_TYPE | STATX_BTIME, &status) != 0) return 0;
    print_id(&status, id);
    return status.stx_mode & S_IFMT;
}

static void write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(file, bytes, length);
        if (written < 0) fail("cannot write the image");
        bytes += written;
        length -= (size_t)written;
    }
}

/* Opens a new file for the image. */
static int create(char *partial) {
    snprintf(partial, PATH_MAX, "%s/partial", image);
    int file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) fail(partial);
    return file;
}

static int (*real_rename)(const char *, const char *);

/* Puts a new file in its place in one step: the program may be killed at any moment. */
static void put(int file, const char *partial, const char *folder, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s/%s", image, folder, name);
    close(file);
    if (!real_rename) real_rename = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (real_rename(partial, path) != 0) fail(path);
}

/* Copies the bytes of a file that is open for reading. */
static void keep_content(int source) {
    char id[ID_LENGTH], partial[PATH_MAX], buffer[1 << 16];
    if (identify(source, "", AT_EMPTY_PATH, id) != S_IFREG) return;
    int copy = create(partial);
    ssize_t length;
    for (off_t at = 0; (length = pread(source, buffer, sizeof buffer, at)) > 0; at += length) {
        write_all(copy, buffer, (size_t)length);
    }
    if (length < 0) fail("cannot read a file");
    put(copy, partial, "/contents", id);
}

/* Copies the bytes of a file by its path. Not for files that are open for reading: closing a file ends all POSIX locks
   that the process has on it, those of SQLite too. */
static void keep_content_at(const char *path) {
    int source = open(path, O_RDONLY | O_CLOEXEC);
    if (source < 0) return; /* It was removed meanwhile. */
    keep_content(source);
    close(source);
}

/* Writes the entries of a folder, and with `is_deep` those of all folders in it. */
static void list(int file, const char *path, int is_deep) {
    char id[ID_LENGTH], line[PATH_MAX + ID_LENGTH];
    DIR *folder = opendir(path);
    if (!folder) return; /* It was removed meanwhile. */
    if (is_deep && identify(dirfd(folder), "", AT_EMPTY_PATH, id)) {
        write_all(file, line, (size_t)snprintf(line, sizeof line, ". %s\n", id));
    }
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        unsigned type = identify(dirfd(folder), entry->d_name, 0, id);
        if (type != S_IFREG && type != S_IFDIR) continue;
        int length = snprintf(line, sizeof line, "%c %s %s\n", type == S_IFDIR ? 'd' : 'f', id, entry->d_name);
        write_all(file, line, (size_t)length);
    }
    if (is_deep) {
        rewinddir(folder);
        while ((entry = readdir(folder))) {
            if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
            char below[PATH_MAX];
            snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
            list(file, below, 1);
        }
    }
    closedir(folder);
}

static int is_watched(const char *path) {
    size_t length = data ? strlen(data) : 0;
    return length > 0 && image && strncmp(path, data, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int synchronise(int descriptor) {
    char link[64], path[PATH_MAX], id[ID_LENGTH], partial[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) {
        errno = EBADF;
        return -1;
    }
    path[length] = 0;
    if (!is_watched(path)) return 0;
    pthread_mutex_lock(&lock);
    unsigned type = identify(descriptor, "", AT_EMPTY_PATH, id);
    if (type == S_IFREG) {
        if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            keep_content_at(link);
        } else {
            keep_content(descriptor);
        }
    }
    if (is_strict && type == S_IFDIR) {
        int file = create(partial);
        list(file, link, 0);
        put(file, partial, "/entries", id);
    }
    if (!is_strict) {
        int file = create(partial);
        list(file, data, 1);
        put(file, partial, "", "tree");
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int descriptor) { return synchronise(descriptor); }

int fdatasync(int descriptor) { return synchronise(descriptor); }

/* A file that replaces another one is written with the rename, by ext4. */
int rename(const char *from, const char *to) {
    if (!real_rename) real_rename = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    char path[PATH_MAX];
    if (!is_strict && realpath(from, path) && is_watched(path) && access(to, F_OK) == 0) {
        pthread_mutex_lock(&lock);
        keep_content_at(path);
        pthread_mutex_unlock(&lock);
    }
    return real_rename(from, to);
}
