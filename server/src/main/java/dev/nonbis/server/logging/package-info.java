/**
 * Lines of the log: how they look, and which ids they carry.
 *
 * <p>Depends on the JDK's logging and our JSON. Deliberately absent: files and rotation, which belong to whoever runs the process; and
 * anything that a client sent besides ids that were checked, because a log is read by more people than the store.
 */
@NullMarked
package dev.nonbis.server.logging;

import org.jspecify.annotations.NullMarked;
