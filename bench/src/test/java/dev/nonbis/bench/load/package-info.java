/** Tests of the load generator against a server that keeps its keys in a map. */
@NullMarked
package dev.nonbis.bench.load;

import org.jspecify.annotations.NullMarked;
