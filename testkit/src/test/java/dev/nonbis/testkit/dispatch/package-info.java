/** Tests of the way from an admitted job to one recorded result, on a store in memory and with faults on purpose. */
@NullMarked
package dev.nonbis.testkit.dispatch;

import org.jspecify.annotations.NullMarked;
