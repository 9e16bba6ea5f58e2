/* Verifies tokens again and again with libjwt; prints what it took.
 *
 * usage: libjwt ALGORITHM KEY_PEM TOKENS_FILE MILLISECONDS
 */
#include <jwt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long nanoseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Version 1 has no check of claims of its own. */
static int verify(const char *token, const unsigned char *key, int length)
{
    jwt_t *jwt = NULL;
    if (jwt_decode(&jwt, token, key, length) != 0) return 0;
    int good = strcmp(jwt_get_grant(jwt, "iss"), "http://127.0.0.1:8083") == 0
        && strcmp(jwt_get_grant(jwt, "aud"), "RESOURCE_ID_BOOK") == 0 && jwt_get_grant_int(jwt, "exp") > time(NULL)
        && strstr(jwt_get_grant(jwt, "scope"), "read") != NULL;
    jwt_free(jwt);
    return good;
}

int main(int argc, char **argv)
{
    static unsigned char key[8192];
    static char tokens[20][4096];
    if (argc != 5) return 2;
    FILE *file = fopen(argv[2], "r");
    if (!file) return 1;
    int length = fread(key, 1, sizeof key - 1, file);
    fclose(file);
    file = fopen(argv[3], "r");
    if (!file) return 1;
    for (int i = 0; i < 20; i++)
        if (fscanf(file, "%4095s", tokens[i]) != 1) return 1;
    fclose(file);

    long long count = 0, began = nanoseconds(CLOCK_MONOTONIC), processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    long long end = began + atoll(argv[4]) * 1000000;
    while (nanoseconds(CLOCK_MONOTONIC) < end) {
        for (int i = 0; i < 20; i++)
            if (!verify(tokens[i], key, length)) return 1;
        count += 20;
    }
    printf("{\"name\": \"libjwt %s\", \"count\": %lld, \"cpu_ns\": %lld, \"wall_ns\": %lld}\n", argv[1], count,
           nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processor, nanoseconds(CLOCK_MONOTONIC) - began);
    return 0;
}
