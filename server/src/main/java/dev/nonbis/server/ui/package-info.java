/**
 * The console: pages for people, made on the server.
 *
 * <p>What the console shows and does goes through the routes of the API, with the credential of whoever is signed in, or through
 * read-only operations of the core. So it can do nothing that the API would refuse. Depends on {@code core}, {@code server.http},
 * {@code server.api}, {@code server.events} and {@code server.metrics}, and on the templates that are compiled from {@code src/main/jte}.
 * Deliberately absent: rules, a store of its own, sessions on the server.
 */
@NullMarked
package dev.nonbis.server.ui;

import org.jspecify.annotations.NullMarked;
