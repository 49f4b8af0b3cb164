/**
 * CEL: the expressions of workflows, and policies written in YAML with CEL conditions.
 *
 * <p>Depends on {@code core}, the CEL library and the YAML engine. Deliberately absent: functions of our own, clocks and anything else
 * that could make the same expression give two values; and when a policy is read again, which a loop decides.
 */
@NullMarked
package dev.nonbis.server.policy.cel;

import org.jspecify.annotations.NullMarked;
