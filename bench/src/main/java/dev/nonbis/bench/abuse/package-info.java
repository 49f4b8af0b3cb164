/**
 * Attacks by clients that send whatever costs the server most, beside an honest tenant that must not notice.
 *
 * <p>Depends on {@code bench.http}, {@code bench.process}, {@code bench.judge} and the recorder of {@code bench.faults}. Deliberately
 * absent: any limit of the server; an attack may be refused or answered, as long as the honest tenant is served.
 */
@NullMarked
package dev.nonbis.bench.abuse;

import org.jspecify.annotations.NullMarked;
