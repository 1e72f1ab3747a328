import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { takeArrowPressed } from '#web/lib/back.ts'
import { TYPED } from '#web/lib/history-entries.ts'
import { meQuery } from '#web/lib/me.ts'
import { routing } from '#web/lib/routing.ts'

/** The owner of what is typed before anybody has signed in. */
export const NOBODY = ''

type Texts = Record<string, string>

/** What was typed in a form by whom; `initial` is what stood there before, which another screen may have filled in. */
type Typed = { owner: string; initial: Texts; values: Texts }

function readAll(): Record<string, Typed> {
  try {
    return JSON.parse(sessionStorage.getItem(TYPED) ?? '{}') as Record<string, Typed>
  } catch {
    return {}
  }
}

/** Keeps what was typed in a form; with null it is dropped. */
function write(form: string, typed: Typed | null): void {
  const { [form]: _, ...others } = readAll()
  try {
    sessionStorage.setItem(TYPED, JSON.stringify(typed ? { ...others, [form]: typed } : others))
  } catch {
    // Without storage it lasts as long as the screen.
  }
}

const isSame = (one: Texts, other: Texts): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether the screen at `path` was left by the arrow or by going on, and not by a swipe that may have been a wrong one. */
function isLeftOnPurpose(path: string): boolean {
  const isArrow = takeArrowPressed()
  const { location, historyAction } = routing.router?.state ?? {}
  return location !== undefined && location.pathname !== path && (isArrow || historyAction !== 'POP')
}

type KeptForm<Values extends Texts> = {
  values: Values
  set: (name: keyof Values & string, text: string) => void
  done: boolean
}

type Options<Values> = {
  /** Who types; undefined while that is not known. */
  owner: string | undefined
  /** What stands in the form before anything is typed; what it begins with unless told. */
  initial?: Values
  /** What is never kept: passwords, codes, numbers of cards. */
  except?: readonly string[]
}

/**
 * Keeps what is typed in a form in this tab until it is sent or left on purpose: a refresh or a wrong swipe loses nothing.
 * Signing out drops it, and another customer is never shown it.
 */
export function useTyped<Values extends Texts>(name: string, form: KeptForm<Values>, options: Options<Values>): void {
  const { owner, initial: nothing = form.values, except = [] } = options
  const path = useRef(window.location.pathname)
  const plain = (values: Texts): Texts =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !except.includes(key)))
  const values = plain(form.values)
  const [initial] = useState(() => plain(nothing))
  const restoredFor = useRef<string | null>(null)

  const restore = useEffectEvent(() => {
    const kept = readAll()[name]
    if (!kept || kept.owner !== owner || !isSame(kept.initial, initial) || !isSame(values, initial)) return
    for (const key of Object.keys(values)) {
      const text = kept.values[key]
      if (text !== undefined && text !== values[key]) form.set(key, text)
    }
  })
  const text = JSON.stringify(values)
  const keep = useEffectEvent(() => {
    if (owner === undefined) return
    write(name, form.done || isSame(values, initial) ? null : { owner, initial, values })
  })
  useEffect(() => {
    if (owner === undefined) return
    const isFirst = restoredFor.current !== owner
    restoredFor.current = owner
    if (isFirst) restore()
    else keep()
    // It is kept anew with each change of these.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [owner, text, form.done])
  useEffect(() => {
    takeArrowPressed()
    const at = path.current
    return () => {
      if (isLeftOnPurpose(at)) write(name, null)
    }
  }, [name])
}

/** What was typed before by nobody whom the bank knows yet, for a form that has to begin with it. */
export function typedBefore<Values extends Texts>(name: string, initial: Values): Values {
  const { owner, values } = readAll()[name] ?? {}
  return owner === NOBODY ? { ...initial, ...values } : initial
}

/** The same for a form of the customer who is signed in. */
export function useMyTyped<Values extends Texts>(name: string, form: KeptForm<Values>): void {
  useTyped(name, form, { owner: useQuery(meQuery).data?.customer.email })
}
