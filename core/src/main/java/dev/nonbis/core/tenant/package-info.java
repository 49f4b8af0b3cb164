/**
 * What is counted for a tenant: the head of its audit chain, its active runs and their limit.
 *
 * <p>Depends on {@code audit}. Deliberately absent: counting by query. A counter is a row that changes with what it counts.
 */
@NullMarked
package dev.nonbis.core.tenant;

import org.jspecify.annotations.NullMarked;
