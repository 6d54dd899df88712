/* What an exported library has around the engine's code; the words between @ are filled in by c_library.py. */
#define _DEFAULT_SOURCE
#include "@NAME@.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__asm__(".section .rodata\n.balign 64\npb_constants:\n.incbin \"constants.bin\"\n.previous\n");
extern const char pb_constants[];

@SEGMENT@

struct @NAME@ {
    void *arena;
    uint64_t table[@WORDS@];
};

@NAME@ *@NAME@_new(void) {
    @NAME@ *context = calloc(1, sizeof *context);
    if (!context) return NULL;
    if (!(context->arena = aligned_alloc(64, @ARENA@))) goto failed;
    context->table[0] = (uint64_t)context->arena;
    @SETUP@
    return context;
failed:
    @NAME@_free(context);
    return NULL;
}

void @NAME@_free(@NAME@ *context) {
    if (!context) return;
    @CLEANUP@
    free(context->arena);
    free(context);
}

/* As the engine: floats below the least normal one are zeros while a call runs. */
uint64_t pb_take_zeros(void);
void pb_restore_floats(uint64_t mode);

int @NAME@_call(@PARAMETERS@) {
    int status = 0;
    uint64_t mode = pb_take_zeros();
    (void)context;
    @CALL@
    pb_restore_floats(mode);
    return status;
}

/* ---- threads: those of engine/runtime/threads.py, which the pool's code asks for when it has work for them */

enum { MOST = 1024, SPINS = 2000 };
extern int32_t started, wanted, owned, awaited, sleepers;
extern uint64_t ticket;
extern void (*start)(void);
void resize(int32_t count, int32_t spins);
void pb_worker(int32_t index);

int32_t pb_interrupted(void *look) {
    (void)look;
    return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t workers[MOST];
static int32_t size = 1, running;

static void *work(void *index) {
    pb_worker((int32_t)(intptr_t)index);
    return NULL;
}

static void begin(void) {
    pthread_mutex_lock(&lock);
    while (running < size - 1 && !pthread_create(&workers[running], NULL, work, (void *)(intptr_t)(running + 1))) running++;
    started = wanted;
    pthread_mutex_unlock(&lock);
}

void @NAME@_threads(int count) {
    pthread_mutex_lock(&lock);
    size = count < 1 ? 1 : count > MOST ? MOST : count;
    resize(size, SPINS);
    for (; running > size - 1; running--) pthread_join(workers[running - 1], NULL);
    pthread_mutex_unlock(&lock);
}

/* A child of a fork has no workers. */
static void forget(void) {
    pthread_mutex_init(&lock, NULL);
    running = owned = awaited = sleepers = started = 0;
    ticket |= 0xFFFFFFFF;
}

#ifdef OPENBLAS
void OPENBLAS(int count);
#endif
#ifndef FUTEX
void prepare(void);
#endif

__attribute__((constructor)) static void set_up(void) {
#ifdef OPENBLAS
    OPENBLAS(1);
#endif
#ifndef FUTEX
    prepare();
#endif
    start = begin;
    pthread_atfork(NULL, NULL, forget);
}

__attribute__((destructor)) static void tear_down(void) { @NAME@_threads(1); }

#ifdef PRODUCTS
/* ---- products of matrices without OpenBLAS: c = alpha a b + beta c, in the order of C; 112: a factor is turned */

enum { TURNED = 112, STRIP = 64 };

#define PRODUCT(FUNCTION, REAL)                                                                                                  \
    void FUNCTION(int order, int of_a, int of_b, int64_t m, int64_t n, int64_t k, REAL alpha, const REAL *a, int64_t lead_a,     \
                  const REAL *b, int64_t lead_b, REAL beta, REAL *c, int64_t lead_c) {                                           \
        int64_t a_row = of_a == TURNED ? 1 : lead_a, a_column = of_a == TURNED ? lead_a : 1;                                     \
        int64_t b_row = of_b == TURNED ? 1 : lead_b, b_column = of_b == TURNED ? lead_b : 1;                                     \
        REAL(*strip)[STRIP] = malloc((k ? k : 1) * sizeof *strip);                                                               \
        (void)order;                                                                                                             \
        if (!strip) abort();                                                                                                     \
        for (int64_t from = 0; from < n; from += STRIP) {                                                                        \
            int64_t width = n - from < STRIP ? n - from : STRIP;                                                                 \
            for (int64_t p = 0; p < k; p++)                                                                                      \
                for (int64_t j = 0; j < STRIP; j++) strip[p][j] = j < width ? b[p * b_row + (from + j) * b_column] : 0;          \
            for (int64_t i = 0; i < m; i++) {                                                                                    \
                REAL sum[STRIP] = {0}, *row = c + i * lead_c + from;                                                             \
                for (int64_t p = 0; p < k; p++) {                                                                                \
                    REAL factor = a[i * a_row + p * a_column];                                                                   \
                    for (int64_t j = 0; j < STRIP; j++) sum[j] += factor * strip[p][j];                                          \
                }                                                                                                                \
                for (int64_t j = 0; j < width; j++) row[j] = alpha * sum[j] + (beta == 0 ? 0 : beta * row[j]);                   \
            }                                                                                                                    \
        }                                                                                                                        \
        free(strip);                                                                                                             \
    }

PRODUCT(cblas_sgemm, float)
PRODUCT(cblas_dgemm, double)
#endif
