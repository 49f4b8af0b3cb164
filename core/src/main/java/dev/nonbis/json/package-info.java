/**
 * JSON as Nonbis takes it: a strict parser with limits, the canonical form of RFC 8785 and its SHA-256.
 *
 * <p>Depends on nothing of ours. Deliberately absent: data binding, pretty printing, tolerance.
 */
@NullMarked
package dev.nonbis.json;

import org.jspecify.annotations.NullMarked;
