/**
 * The command line: data on stdout, talk on stderr, exit codes that a script can route on.
 *
 * <p>Depends on {@code config}, {@code drill}, {@code policy.cel} to check policies offline, the client of the sdk and picocli. Deliberately absent: the
 * server's other classes; it is started through
 * {@link dev.nonbis.server.cli.ServerLauncher}, and every other command talks HTTP like any customer.
 */
@NullMarked
package dev.nonbis.server.cli;

import org.jspecify.annotations.NullMarked;
