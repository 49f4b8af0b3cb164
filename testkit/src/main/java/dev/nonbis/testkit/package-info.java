/**
 * What tests of any part are built with: a clock that is moved by hand.
 *
 * <p>Depends on core. Deliberately absent: mocks.
 */
@NullMarked
package dev.nonbis.testkit;

import org.jspecify.annotations.NullMarked;
