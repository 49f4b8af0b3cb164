/**
 * Who acts and for whom: tenants, roles, actors.
 *
 * <p>Depends on nothing of ours. Deliberately absent: credentials and how they are checked, which the HTTP edge does.
 */
@NullMarked
package dev.nonbis.core.identity;

import org.jspecify.annotations.NullMarked;
