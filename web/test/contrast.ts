const parts = (hex: string): number[] => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = parts(hex).map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast ratio of two colors: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
export function contrast(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the color `over` drawn on `ground` with an opacity. */
export function blend(ground: string, over: string, opacity: number): string {
  const [groundParts, overParts] = [parts(ground), parts(over)]
  const share = groundParts.map((part, index) => Math.round(part + ((overParts[index] ?? 0) - part) * opacity))
  return `#${share.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
