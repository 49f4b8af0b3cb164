/**
 * Who acts, for whom, and the names of things: tenants, actors, typed ids and points in time.
 *
 * <p>Depends on {@code json} for a digest. Deliberately absent: credentials and how they are checked.
 */
@NullMarked
package dev.nonbis.core.identity;

import org.jspecify.annotations.NullMarked;
