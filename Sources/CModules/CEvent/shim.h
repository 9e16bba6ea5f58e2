#pragma once
// Before event.h, which defines _GNU_SOURCE: what both see of the system's headers must be the same.
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <event2/event.h>

/// Names the calling thread; the system shows 15 characters.
static inline void auth_name_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}

/// Keeps the calling thread on one processor; 0, or -1 with errno set.
static inline long auth_pin_to_processor(unsigned processor) {
    unsigned long mask[16] = {0};
    if (processor >= sizeof mask * 8) return -1;
    mask[processor / (8 * sizeof mask[0])] |= 1ul << (processor % (8 * sizeof mask[0]));
    return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask);
}

/// Blocks SIGPIPE on the calling thread.
static inline void auth_block_broken_pipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
