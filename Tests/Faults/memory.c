// Counts the bytes that a program has allocated, and writes the most that they were at one time: a library for
// LD_PRELOAD (Linux). Mapped files and the stacks of threads aren't counted, nor what is mapped but never used, so the
// number is the same whenever the program does the same.
//
//     cc -shared -fPIC -o memory.so memory.c
//     MEMORY_LOG=file LD_PRELOAD=./memory.so pyramid build ...
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// glibc's own functions, which these stand before.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static atomic_long bytes, most;

static void *counted(void *block) {
    if (!block) return block;
    long now = atomic_fetch_add(&bytes, malloc_usable_size(block)) + malloc_usable_size(block);
    long before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now)) {}
    return block;
}

static void *uncounted(void *block) {
    if (block) atomic_fetch_sub(&bytes, malloc_usable_size(block));
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void free(void *block) { __libc_free(uncounted(block)); }

void *realloc(void *block, size_t size) {
    // Both blocks can be there while the bytes are copied.
    long old = block ? malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (moved || !size) atomic_fetch_sub(&bytes, old);
    return counted(moved);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

__attribute__((destructor)) static void write_most(void) {
    const char *path = getenv("MEMORY_LOG");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file < 0) return;
    dprintf(file, "%ld\n", atomic_load(&most));
    close(file);
}
