// The console works without this file; with it, pages keep themselves up to date and the inbox knows a few keys.
(function () {
  "use strict";

  const body = document.body;

  // Live: the server's stream says that something happened, and the page asks for itself again.
  function listen() {
    if (!body.dataset.events || !window.EventSource) {
      return;
    }
    const connection = document.getElementById("connection");
    const source = new EventSource(body.dataset.events);
    let due = false;
    source.onmessage = function () {
      if (!due) {
        due = true;
        setTimeout(function () {
          due = false;
          body.dispatchEvent(new Event("changed"));
        }, 150);
      }
    };
    source.onopen = function () {
      connection.hidden = true;
    };
    source.onerror = function () {
      connection.hidden = false;
    };
  }

  // A page that loads itself again must not take away what somebody is typing, nor close what somebody has opened.
  function isTyping(target) {
    const at = document.activeElement;
    return at && target.contains(at) && /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
  }

  let opened = [];

  body.addEventListener("htmx:beforeSwap", function (event) {
    if (isTyping(event.detail.target)) {
      event.detail.shouldSwap = false;
      return;
    }
    opened = Array.from(document.querySelectorAll("details[open][id]"), function (details) {
      return details.id;
    });
  });

  body.addEventListener("htmx:afterSwap", function () {
    opened.forEach(function (id) {
      const details = document.getElementById(id);
      if (details) {
        details.open = true;
      }
    });
    tick();
    noteDecided();
  });

  // The opened question stays while somebody reads it; when it is gone from the list, the page says so.
  function noteDecided() {
    const form = document.getElementById("decide");
    const list = document.querySelector(".inbox .list");
    if (!form || !list) {
      return;
    }
    const id = form.getAttribute("action").split("/").pop();
    const gone = !document.getElementById("item-" + id);
    const armed = document.getElementById("armed");
    if (gone && armed) {
      armed.textContent = "Somebody has decided this meanwhile, or it has ended.";
    }
  }

  // Clocks count down between two loads.
  function span(seconds) {
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return parts(Math.floor(seconds / 60), "min", seconds % 60, "s");
    }
    if (seconds < 86400) {
      return parts(Math.floor(seconds / 3600), "h", Math.floor(seconds / 60) % 60, "min");
    }
    return parts(Math.floor(seconds / 86400), "d", Math.floor(seconds / 3600) % 24, "h");
  }

  function parts(large, unit, small, smallUnit) {
    return large + " " + unit + (small === 0 ? "" : " " + small + " " + smallUnit);
  }

  function tick() {
    document.querySelectorAll("time[data-left]").forEach(function (clock) {
      const left = Math.floor((Date.parse(clock.dataset.left) - Date.now()) / 1000);
      const text = left < 0 ? "too late" : span(left);
      if (clock.textContent !== text) {
        clock.textContent = text;
      }
    });
  }

  // Keys of the inbox. A key only readies a decision; Enter in the field of the reason sends it.
  function move(by) {
    const items = Array.from(document.querySelectorAll(".inbox .item"));
    const at = items.findIndex(function (item) {
      return item.getAttribute("aria-current") === "true";
    });
    const next = items[Math.min(items.length - 1, Math.max(0, at + by))];
    if (next && items.indexOf(next) !== at) {
      next.click();
    }
  }

  let ready = null;

  function arm(name) {
    const button = document.getElementById(name);
    const reason = document.getElementById("reason");
    const armed = document.getElementById("armed");
    if (!button || !reason) {
      return;
    }
    ready = button;
    document.querySelectorAll(".decide button").forEach(function (other) {
      other.classList.toggle("armed", other === button);
    });
    armed.textContent = "Enter to " + name + ", Escape to think again";
    reason.focus();
  }

  function disarm() {
    ready = null;
    document.querySelectorAll(".decide .armed").forEach(function (button) {
      button.classList.remove("armed");
    });
    const armed = document.getElementById("armed");
    if (armed) {
      armed.textContent = "";
    }
    document.activeElement.blur();
  }

  document.addEventListener("keydown", function (event) {
    const typing = event.target.closest && event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && ready) {
      disarm();
      return;
    }
    if (event.key === "Enter" && event.target.id === "reason") {
      // Without a key before it, Enter would mean the first button; a decision should be said.
      event.preventDefault();
      if (ready) {
        ready.click();
      }
      return;
    }
    if (typing || body.dataset.keys !== "on" || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const act = { j: [move, 1], k: [move, -1], y: [arm, "approve"], n: [arm, "reject"] }[event.key];
    if (act) {
      event.preventDefault();
      act[0](act[1]);
    }
  });

  listen();
  setInterval(tick, 1000);
})();
