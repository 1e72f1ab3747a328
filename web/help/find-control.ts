const normalizeText = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()

/** The greatest height of a control, in pixels. A taller element is a section of the screen. */
const MAX_HEIGHT = 260

/** Returns whether an element is visible. Texts for screen readers alone are at most one pixel large. */
function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 4 && height > 4
}

const isNamed = (element: Element, name: string): boolean =>
  element.ariaLabel === name ||
  (normalizeText(element.textContent) === name &&
    Array.from(element.children).every((child) => normalizeText(child.textContent) !== name))

/**
 * Returns the input or switch with this label, found through its `label` element or `aria-labelledby`; null if there is none.
 */
function findField(element: Element): Element | null {
  const label = element.closest('label')
  if (label) return label.control
  return element.id === ''
    ? null
    : element.ownerDocument.querySelector(`[aria-labelledby~="${CSS.escape(element.id)}"]`)
}

/** Returns the smallest element that contains both elements. */
function findCommonAncestor(element: Element, other: Element): Element | null {
  let part: Element | null = element
  while (part && !part.contains(other)) part = part.parentElement
  return part
}

/**
 * Returns the whole control for its name: the button around the text, the field with its label, or the section below a heading.
 */
function wholeOf(element: Element): Element {
  const pressable = element.closest('a, button, [role=radio], [role=tab]')
  if (pressable) return pressable
  const field = findField(element)
  const wholeControl = field
    ? findCommonAncestor(element, field)
    : element.closest('h2, h3') && element.closest('section')
  return wholeControl && wholeControl.getBoundingClientRect().height <= MAX_HEIGHT ? wholeControl : element
}

/** Returns the control with this visible name, or null if the screen has none. */
export function findControl(root: ParentNode, name: string): Element | null {
  const wantedText = normalizeText(name)
  const namedElements = Array.from(root.querySelectorAll('*')).filter(
    (element) => isNamed(element, wantedText) && isSeen(element),
  )
  const first = namedElements.find((element) => wholeOf(element) !== element) ?? namedElements[0]
  return first ? wholeOf(first) : null
}
