// Tells the thread sanitizer what Swift's Mutex does where threads wait for each other: a library for LD_PRELOAD (Linux).
//
//     clang -shared -fPIC -o mutex.so mutex.c -ldl
//
// The sanitizer sees a Mutex that is free when it is taken, as that is compiled into the program. Waiting is done in Swift's own
// library, which is not instrumented, so what the threads do under the lock would look like a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the program, unless it has no sanitizer.
static void tell(const char *name, void *mutex) {
    void (*sanitizer)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
    if (sanitizer) sanitizer(mutex);
}

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*library)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
    library(thread, mutex);
    tell("__tsan_acquire", mutex);
}

SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF void *mutex) {
    SWIFT void (*library)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
    tell("__tsan_release", mutex);
    library(mutex);
}
