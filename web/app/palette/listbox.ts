import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'

/** Something that can be chosen. */
export type Option = {
  id: string
  /** Stands for it at the start of its line. */
  picture: ReactNode
  label: ReactNode
  detail?: ReactNode
  trailing?: ReactNode
  run: () => void
}

/** Options of one kind. */
export type Group = { id: string; title: string; options: readonly Option[] }

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The active option of a combobox's list, which the arrows move while the focus stays in the field. */
export function useActiveOption(groups: readonly Group[]) {
  const [chosen, setChosen] = useState<string | null>(null)
  const options = groups.flatMap((group) => group.options)
  const active = options.find(({ id }) => id === chosen) ?? options[0]

  // Brought into view by the keyboard alone: what the mouse points at is in view.
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
