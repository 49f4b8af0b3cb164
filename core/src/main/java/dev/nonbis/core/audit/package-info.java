/**
 * The log that cannot be edited unnoticed: events chained by their digests, the tree over them that
 * proves single events and whole beginnings, and the verification of both.
 *
 * <p>Depends on {@code json}, {@code identity} and {@code signing}. Deliberately absent: storage.
 */
@NullMarked
package dev.nonbis.core.audit;

import org.jspecify.annotations.NullMarked;
