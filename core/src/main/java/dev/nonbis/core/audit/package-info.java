/**
 * The log that cannot be edited unnoticed: events chained by their digests, and their verification.
 *
 * <p>Depends on {@code json} and {@code identity}. Deliberately absent: storage.
 */
@NullMarked
package dev.nonbis.core.audit;

import org.jspecify.annotations.NullMarked;
