// The fields of a modal: text inputs, selects, radio groups, checkboxes, files. Each can say what is wrong with it
// and what it submits.

import { h, uniqueId } from "./dom.js";
import { Select } from "./select.js";
import { defaultsOf, optionsOf } from "./selects.js";

/** A drawn field: {element, submitted(), complain() -> string | null, focus()}. */
export function drawField(component, { label, description, client, layer }) {
  const id = uniqueId("field");
  const needed = component.required !== false && component.type !== 23;
  const error = h("p", { class: "field-error", id: `${id}-error`, role: "alert" });
  const notes = description ? h("p", { class: "field-description", id: `${id}-description` }, description) : null;
  const control = makeControl(component, { id, label, client, layer });
  control.target.setAttribute("aria-describedby", [notes?.id, error.id].filter(Boolean).join(" "));
  if (needed) control.target.setAttribute("aria-required", "true");
  const element = h("div", { class: "field" }, h("label", { class: "field-label", for: id, id: `${id}-label` }, label, needed && h("span", { class: "field-needed", "aria-hidden": "true" }, " *")), notes, control.element, control.below, error);
  return {
    element,
    submitted: () => ({ type: component.type, id: component.id, custom_id: component.custom_id, ...control.value() }),
    complain() {
      const complaint = control.complain(needed);
      error.textContent = complaint ?? "";
      control.target.setAttribute("aria-invalid", String(complaint !== null));
      return complaint;
    },
    focus: () => control.target.focus(),
  };
}

function makeControl(component, room) {
  if (component.type === 4) return textControl(component, room);
  if (component.type === 19) return fileControl(component, room);
  if (component.type === 21 || component.type === 22) return groupControl(component, room);
  if (component.type === 23) return checkControl(component, room);
  return selectControl(component, room);
}

function textControl(component, { id }) {
  const paragraph = component.style === 2;
  const { min_length: least = 0, max_length: most = 4000 } = component;
  const target = h(paragraph ? "textarea" : "input", {
    id, class: "text-input", type: paragraph ? null : "text", rows: paragraph ? 4 : null, placeholder: component.placeholder, maxlength: most, "data-custom-id": component.custom_id, autocomplete: "off",
  });
  target.value = component.value ?? "";
  const counter = component.max_length ? h("p", { class: "field-count", "aria-hidden": "true" }) : null;
  const tell = () => counter && (counter.textContent = `${target.value.length}/${most}`);
  target.addEventListener("input", tell);
  tell();
  return {
    element: target, target, below: counter,
    value: () => ({ value: target.value }),
    complain(needed) {
      if (target.value.trim() === "") return needed ? "This field is required" : null;
      return target.value.length < least ? `Must be at least ${least} characters` : null;
    },
  };
}

function selectControl(component, { id, label, client, layer }) {
  const least = component.min_values ?? 1;
  const select = new Select({
    options: optionsOf(component, client.store), min: 0, max: component.max_values ?? 1, values: defaultsOf(component), placeholder: component.placeholder, customId: component.custom_id,
    label, layer, onChange: () => {},
  });
  select.element.id = id;
  return {
    element: select.element, target: select.element, below: null,
    value: () => ({ values: select.values }),
    complain(needed) {
      const { length } = select.values;
      if (length === 0) return needed ? "Make a choice" : null;
      return length < least ? `Choose at least ${least}` : null;
    },
  };
}

/** Files (19); each is sent with its bytes in base64. */
function fileControl(component, { id }) {
  const { min_values: least = 1, max_values: most = 1, file_types: types } = component;
  const accept = types?.map((type) => (type.startsWith(".") ? type : `${type}/*`)).join();
  const target = h("input", { type: "file", id, class: "file-input", multiple: most > 1, accept, "data-custom-id": component.custom_id });
  let files = [];
  let isRead = true;
  target.addEventListener("change", async () => {
    isRead = false;
    files = await Promise.all([...target.files].map(async (file) => ({ name: file.name, content: await base64(file) })));
    isRead = true;
  });
  return {
    element: target, target, below: null,
    value: () => ({ files }),
    complain(needed) {
      if (!isRead) return "Still being read";
      const { length } = files;
      if (length === 0) return needed ? "Choose a file" : null;
      if (length < least) return `Choose at least ${least}`;
      return length > most ? `Choose at most ${most}` : null;
    },
  };
}

function base64(file) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
    reader.readAsDataURL(file);
  });
}

/** A radio group (21, one value) or a group of checkboxes (22, several). */
function groupControl(component, { id }) {
  const several = component.type === 22;
  const inputs = component.options.map((option) => {
    const input = h("input", { type: several ? "checkbox" : "radio", name: id, value: option.value });
    input.checked = Boolean(option.default);
    return { input, row: h("label", { class: "choice" }, input, h("span", {}, option.label, option.description && h("small", {}, option.description))) };
  });
  const target = h("div", { class: "choices", id, role: several ? "group" : "radiogroup", "aria-labelledby": `${id}-label`, tabindex: "-1" }, inputs.map(({ row }) => row));
  const chosen = () => inputs.filter(({ input }) => input.checked).map(({ input }) => input.value);
  return {
    element: target, target, below: null,
    value: () => (several ? { values: chosen() } : { value: chosen()[0] ?? null }),
    complain(needed) {
      const { length } = chosen();
      if (length === 0) return needed ? "Make a choice" : null;
      if (several && length < (component.min_values ?? 1)) return `Choose at least ${component.min_values}`;
      return several && length > (component.max_values ?? inputs.length) ? `Choose at most ${component.max_values}` : null;
    },
  };
}

function checkControl(component, { id }) {
  const target = h("input", { type: "checkbox", id, class: "checkbox", "data-custom-id": component.custom_id });
  target.checked = Boolean(component.default);
  return { element: target, target, below: null, value: () => ({ value: target.checked }), complain: () => null };
}
