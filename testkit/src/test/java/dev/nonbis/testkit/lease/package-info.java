@NullMarked
package dev.nonbis.testkit.lease;

import org.jspecify.annotations.NullMarked;
