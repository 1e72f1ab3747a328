import { type ChangeEvent, type FocusEvent, type FormEvent, useEffect } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type Path,
  type PathValue,
  useForm as useValues,
  useWatch,
} from 'react-hook-form'
import type { ErrorCode, Refusal } from '#contract/errors.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { messageOf } from '#web/lib/api.ts'
import { type SubmissionOptions, useSubmission } from '#web/lib/submission.ts'

/** What a form holds: the text of each field, as it was typed. */
type Texts = Record<string, string>
type Name<Values> = keyof Values & string

/** What is wrong with a field: the code is what the toast says, `text` what stands under the field, if it says more. */
export type Fault<Field> = { field: Field; code: ErrorCode; text?: string }

/** All that is wrong with a form, in the order in which it is said. */
export type Check<Values> = (values: Values) => readonly Fault<Name<Values>>[]

/** Those of some checks that found something. */
export function faults<Field>(...found: (Fault<Field> | false)[]): Fault<Field>[] {
  return found.filter((fault) => fault !== false)
}

type FieldsOptions<Values> = {
  initial: Values
  /** What the bank says now, where a form shows that: it takes the place of what nobody has touched. */
  latest?: Values
  check: Check<Values>
  /** The field that has the focus as it comes: what the form is about. */
  startAt?: Name<Values> | undefined
  /** Told of the first fault when the form is sent with some; its field has the focus then. */
  onFault?: (code: ErrorCode) => void
  /** Told of each change that the customer makes. */
  onEdit?: () => void
}

/** The error of a field that the bank refused; those that the form itself found have their code as a type. */
const REFUSED = 'refused'

function errorsOf<Values extends Texts>(found: readonly Fault<Name<Values>>[]): FieldErrors<Values> {
  const errors: Record<string, { type: string; message: string }> = {}
  for (const { field, code, text } of found) errors[field] ??= { type: code, message: text ?? errorText(code) }
  return errors as FieldErrors<Values>
}

/**
 * The fields of a form and what is wrong with them. All faults are shown when the form is sent, and those of one field
 * when it is left for another. A fault goes when it is mended; none comes while somebody types.
 */
export function useFields<Values extends Texts>(options: FieldsOptions<Values>) {
  const { initial, latest, check, startAt, onFault, onEdit } = options
  const form = useValues<Values>({
    defaultValues: initial as DefaultValues<Values>,
    ...(latest && { values: latest, resetOptions: { keepDirtyValues: true } }),
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
    resolver: (values) => {
      const errors = errorsOf<Values>(check(values))
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
    },
  })
  const values = useWatch({ control: form.control }) as Values
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => {
    if (startAt) setFocus(startAt as Path<Values>)
  }, [setFocus, startAt])

  function mend(changed: Name<Values>): void {
    const found = check(form.getValues())
    for (const field of Object.keys(errors) as Path<Values>[]) {
      const still = found.some((fault) => fault.field === field && fault.code === errors[field]?.type)
      // What the bank refused stays until it is changed: here nobody can tell whether it is mended.
      if (!still && (field === changed || errors[field]?.type !== REFUSED)) form.clearErrors(field)
    }
  }

  function set(name: Name<Values>, text: string): void {
    form.setValue(name as Path<Values>, text as PathValue<Values, Path<Values>>, { shouldDirty: true })
    mend(name)
    onEdit?.()
  }

  /** Says early what is wrong with a field. On the way to a button that would push the button away. */
  function leave(name: Name<Values>, { relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!(relatedTarget instanceof HTMLInputElement) || form.getValues(name as Path<Values>).trim() === '') return
    const fault = check(form.getValues()).find(({ field }) => field === name)
    if (fault) form.setError(name as Path<Values>, { type: fault.code, message: fault.text ?? errorText(fault.code) })
  }

  function focus(name: Name<Values>, { select = false } = {}): void {
    setFocus(name as Path<Values>, { shouldSelect: select })
  }

  const saved = latest ?? initial
  return {
    values,
    /** Whether anything is other than it was. */
    isEdited: Object.entries(values).some(([name, text]) => text !== saved[name]),
    set,
    focus,
    /** What a field is given. */
    field: (name: Name<Values>) => ({
      name,
      ref: form.register(name as Path<Values>).ref,
      value: values[name] as string,
      error: errors[name]?.message as string | undefined,
      onChange: (next: string | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, typeof next === 'string' ? next : next.currentTarget.value),
      onBlur: (event: FocusEvent<HTMLElement>) => leave(name, event),
    }),
    /** Shows at a field what the bank says about it. */
    refuse: (name: Name<Values>, message: string) => form.setError(name as Path<Values>, { type: REFUSED, message }),
    /** Takes back what is said of a field, or of all. */
    forgive: (name?: Name<Values>) => form.clearErrors(name as Path<Values> | undefined),
    /** Puts other values in, all of them untouched. */
    reset: (next: Values) => form.reset(next, { keepDirtyValues: false }),
    onSubmit: (send: (values: Values) => unknown) => (event?: FormEvent) =>
      void form.handleSubmit(
        (sent) => send(sent),
        () => {
          const [first] = check(form.getValues())
          if (!first) return
          focus(first.field)
          onFault?.(first.code)
        },
      )(event),
  }
}

type FormOptions<Values, Content, Response> = Omit<FieldsOptions<Values>, 'onFault' | 'onEdit'> &
  SubmissionOptions<Content, Response> & {
    /** What is sent of the values, once nothing is wrong with them. */
    read: (values: Values) => Content
    onDone?: (response: Response, content: Content) => void
    /** In a form of several steps, goes on to the next one; answers whether there was one. */
    goOn?: () => boolean
    /** The field a refusal is about; the one it names unless told. */
    refusedField?: (refusal: Refusal) => Name<Values> | null
  }

/** The one way to have a form: its fields, their faults in one toast and under each field, and one way to send it. */
export function useForm<Values extends Texts, Content, Response>(options: FormOptions<Values, Content, Response>) {
  const { read, onDone, goOn, refusedField, ...rest } = options
  const { submit, showError, dismissError, busy, done } = useSubmission<Content, Response>({ ...rest, onRefused })
  const fields = useFields<Values>({ ...rest, onFault: showError, onEdit: dismissError })

  function onRefused(refusal: Refusal): void {
    const named = refusal.field !== undefined && refusal.field in fields.values ? refusal.field : null
    const field = refusedField ? refusedField(refusal) : (named as Name<Values> | null)
    if (field !== null) {
      fields.refuse(field, messageOf(refusal))
      fields.focus(field, { select: true })
    }
    options.onRefused?.(refusal)
  }

  const onSubmit = fields.onSubmit(async (values) => {
    if (goOn) dismissError()
    if (goOn?.()) return
    const content = read(values)
    const response = await submit(content)
    if (response !== null) onDone?.(response, content)
  })

  return { ...fields, onSubmit, busy, done }
}

/** A form, for the parts of it. */
export type Form<Values extends Texts> = Omit<ReturnType<typeof useFields<Values>>, 'onSubmit'> & {
  onSubmit: (event?: FormEvent) => void
  busy: boolean
  done: boolean
}

type FieldProps = ReturnType<Form<Texts>['field']>

/** Some fields of a form, for a part that several forms have. */
export type FormPart<Values extends Texts> = {
  values: Values
  set: (name: Name<Values>, text: string) => void
  field: (name: Name<Values>) => FieldProps
}
