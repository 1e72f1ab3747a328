import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { takeBackPressed } from '#web/lib/back.ts'
import { DRAFTS_KEY } from '#web/lib/history-entries.ts'
import { meQuery } from '#web/lib/me.ts'
import { routing } from '#web/lib/routing.ts'

/** The owner of drafts that are typed before sign-in. */
export const NO_OWNER = ''

type Texts = Record<string, string>

/**
 * The draft of a form and its owner. `initial` is the form's content before the draft; another screen may have filled it in.
 */
type Draft = { owner: string; initial: Texts; values: Texts }

function readAll(): Record<string, Draft> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFTS_KEY) ?? '{}') as Record<string, Draft>
  } catch {
    return {}
  }
}

/** Stores the draft of a form; null deletes it. */
function write(form: string, draft: Draft | null): void {
  const { [form]: _, ...otherDrafts } = readAll()
  try {
    sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(draft ? { ...otherDrafts, [form]: draft } : otherDrafts))
  } catch {
    // Without storage, the draft lasts as long as the screen.
  }
}

const isSame = (first: Texts, second: Texts): boolean => JSON.stringify(first) === JSON.stringify(second)

/**
 * Returns whether the screen at `path` was left by its back arrow or by a link. A swipe back does not count, because it may be
 * an accident.
 */
function isLeftOnPurpose(path: string): boolean {
  const isArrow = takeBackPressed()
  const { location, historyAction } = routing.router?.state ?? {}
  return location !== undefined && location.pathname !== path && (isArrow || historyAction !== 'POP')
}

type KeptForm<Values extends Texts> = {
  values: Values
  set: (name: keyof Values & string, text: string) => void
  done: boolean
}

type Options<Values> = {
  /** The owner of the draft; undefined while the customer is unknown. */
  owner: string | undefined
  /** The form's content without a draft; by default its initial values. */
  initial?: Values
  /** The fields that are never stored, such as passwords. */
  except?: readonly string[]
}

/**
 * Stores the content of a form in this tab until it is sent or the customer leaves on purpose. A reload or an accidental swipe
 * back then loses no input. Signing out deletes the draft, and another customer never sees it.
 */
export function useFormDraft<Values extends Texts>(
  name: string,
  form: KeptForm<Values>,
  options: Options<Values>,
): void {
  const { owner, initial: emptyValues = form.values, except = [] } = options
  const path = useRef(window.location.pathname)
  const withoutExcepted = (values: Texts): Texts =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !except.includes(key)))
  const values = withoutExcepted(form.values)
  const [initial] = useState(() => withoutExcepted(emptyValues))
  const restoredFor = useRef<string | null>(null)

  const restore = useEffectEvent(() => {
    const storedDraft = readAll()[name]
    if (
      !storedDraft ||
      storedDraft.owner !== owner ||
      !isSame(storedDraft.initial, initial) ||
      !isSame(values, initial)
    )
      return
    for (const key of Object.keys(values)) {
      const text = storedDraft.values[key]
      if (text !== undefined && text !== values[key]) form.set(key, text)
    }
  })
  const text = JSON.stringify(values)
  const saveDraft = useEffectEvent(() => {
    if (owner === undefined) return
    write(name, form.done || isSame(values, initial) ? null : { owner, initial, values })
  })
  useEffect(() => {
    if (owner === undefined) return
    const isFirst = restoredFor.current !== owner
    restoredFor.current = owner
    if (isFirst) restore()
    else saveDraft()
    // The draft is stored again after each change of these values.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [owner, text, form.done])
  useEffect(() => {
    takeBackPressed()
    const formPath = path.current
    return () => {
      if (isLeftOnPurpose(formPath)) write(name, null)
    }
  }, [name])
}

/** Returns the draft that was typed before sign-in, for a form whose initial values depend on it. */
export function readVisitorDraft<Values extends Texts>(name: string, initial: Values): Values {
  const { owner, values } = readAll()[name] ?? {}
  return owner === NO_OWNER ? { ...initial, ...values } : initial
}

/** Stores the draft of a form for the signed-in customer, like `useFormDraft`. */
export function useCustomerFormDraft<Values extends Texts>(name: string, form: KeptForm<Values>): void {
  useFormDraft(name, form, { owner: useQuery(meQuery).data?.customer.email })
}
