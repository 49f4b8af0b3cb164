/**
 * Where the program starts and where its parts are put together.
 *
 * <p>May depend on everything in this module; nothing depends on it. Deliberately absent: rules of any kind.
 */
@NullMarked
package dev.nonbis.server;

import org.jspecify.annotations.NullMarked;
