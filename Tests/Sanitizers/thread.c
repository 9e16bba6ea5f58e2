// Linked into what is built with ThreadSanitizer. It tells the sanitizer of what Swift's Mutex does where it cannot
// see it: the contended paths of lock and unlock are in a library that is not instrumented, where the kernel hands the
// lock over. Without this each contended lock would look like a race.
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

extern void __tsan_acquire(void *);
extern void __tsan_release(void *);

typedef SWIFT void (*lock_function)(uint32_t, SELF);
typedef SWIFT void (*unlock_function)(SELF);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF mutex) {
    __tsan_release(mutex);
    ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

// Threads that run until the process ends are meant to.
const char *__tsan_default_options(void) { return "report_thread_leaks=0:exitcode=66"; }

// The library that resumes a task is not instrumented either: where it wakes one on another thread, the hand-over of
// the continuation's own result looks like a race. Only where that is the innermost function.
const char *__tsan_default_suppressions(void) {
    return "race_top:s22withUnsafeContinuation\n"
           "race_top:s23withCheckedContinuation\n"
           "race_top:sScc6resume\n";
}
