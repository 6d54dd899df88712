/* @NAME@: made by Pullback from a Python function.

   @NAME@ *context = @NAME@_new();
   int fault = @NAME@_call(context, ...);
   @NAME@_free(context);
*/
#ifndef PULLBACK_@NAME@_H
#define PULLBACK_@NAME@_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a call. Two threads that call at the same time need two. */
typedef struct @NAME@ @NAME@;

/* NULL where there is no memory. */
@NAME@ *@NAME@_new(void);
void @NAME@_free(@NAME@ *context);

/* How many threads share the work of large calls, whoever makes them; one at the start. Do not call it while a call runs. */
void @NAME@_threads(int count);

/* Arrays lie in C order; results are written, and overlap no other array. Complex numbers are pairs; float16 and bfloat16 are bits.

@ARRAYS@
   Floats below the least normal one count as zeros, as in compiled functions of Python.
   Gives 0; 1 where an index is out of range or the like, 2 where there is no memory: the results are then not to be used. */
int @NAME@_call(@PARAMETERS@);

#ifdef __cplusplus
}
#endif
#endif
