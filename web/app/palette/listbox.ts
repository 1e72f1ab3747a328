import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'

/** An option of the palette. */
export type PaletteOption = {
  id: string
  /** The picture at the start of the line. */
  picture: ReactNode
  label: ReactNode
  detail?: ReactNode
  trailing?: ReactNode
  run: () => void
}

/** Options of one kind, with a title. */
export type OptionGroup = { id: string; title: string; options: readonly PaletteOption[] }

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Returns the active option of a combobox's list. The arrow keys change it while the focus stays in the field. */
export function useActiveOption(groups: readonly OptionGroup[]) {
  const [chosenId, setChosen] = useState<string | null>(null)
  const options = groups.flatMap((group) => group.options)
  const active = options.find(({ id }) => id === chosenId) ?? options[0]

  // Counts key presses. Only these scroll the option into view, because an option under the mouse is visible.
  const [byKey, setByKey] = useState(0)
  const activeId = active?.id
  useEffect(() => {
    if (byKey > 0 && activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [byKey, activeId])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || !active) return
    const step = STEPS[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const index = (options.indexOf(active) + step + options.length) % options.length
      setChosen(options[index]?.id ?? null)
      setByKey((count) => count + 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      active.run()
    }
  }

  return { activeId, setActive: setChosen, onKeyDown }
}
