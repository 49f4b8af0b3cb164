/**
 * What an operator may set: the YAML file, its environment twins, and the immutable {@link dev.nonbis.server.config.Config} they make.
 *
 * <p>Depends on the YAML engine alone. Deliberately absent: opening what is configured (stores, sockets, policies) and any tolerance:
 * an entry that is unknown or unreadable stops the start.
 */
@NullMarked
package dev.nonbis.server.config;

import org.jspecify.annotations.NullMarked;
