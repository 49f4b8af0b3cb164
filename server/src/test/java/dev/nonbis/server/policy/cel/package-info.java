@NullMarked
package dev.nonbis.server.policy.cel;

import org.jspecify.annotations.NullMarked;
