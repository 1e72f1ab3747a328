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

/** The content of a form: the text of each field as typed. */
type Texts = Record<string, string>
type Name<Values> = keyof Values & string

/** The error of a field. The toast shows the text of `code`; the field shows `text`, if it is more specific. */
export type FormError<Field> = { field: Field; code: ErrorCode; text?: string }

/** Returns all errors of a form, in the order in which they are shown. */
export type FormCheck<Values> = (values: Values) => readonly FormError<Name<Values>>[]

/** Returns the errors among the results of several checks. */
export function formErrors<Field>(...errors: (FormError<Field> | false)[]): FormError<Field>[] {
  return errors.filter((fault) => fault !== false)
}

type FieldsOptions<Values> = {
  initial: Values
  /** The current values on the server, for a form that shows them. They replace the content of unedited fields. */
  latest?: Values
  check: FormCheck<Values>
  /** The field that has the focus when the form opens. */
  startAt?: Name<Values> | undefined
  /** Called with the first error when an invalid form is submitted; its field then has the focus. */
  onInvalid?: (code: ErrorCode) => void
  /** Called after each change that the customer makes. */
  onEdit?: () => void
}

/** The error type of a field that the server refused. The form's own errors have their code as the type. */
const REFUSED = 'refused'

function errorsOf<Values extends Texts>(formErrorList: readonly FormError<Name<Values>>[]): FieldErrors<Values> {
  const errors: Record<string, { type: string; message: string }> = {}
  for (const { field, code, text } of formErrorList) errors[field] ??= { type: code, message: text ?? errorText(code) }
  return errors as FieldErrors<Values>
}

/**
 * Returns the fields of a form and their errors. All errors are shown on submit; the error of a single field is shown when the
 * focus moves to another field. An error disappears when it is corrected, and none appears during typing.
 */
export function useFields<Values extends Texts>(options: FieldsOptions<Values>) {
  const { initial, latest, check, startAt, onInvalid, onEdit } = options
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

  function revalidate(changedField: Name<Values>): void {
    const currentErrors = check(form.getValues())
    for (const field of Object.keys(errors) as Path<Values>[]) {
      const isStillWrong = currentErrors.some((error) => error.field === field && error.code === errors[field]?.type)
      // A refusal of the server stays until the field changes, because the form cannot check whether it is corrected.
      if (!isStillWrong && (field === changedField || errors[field]?.type !== REFUSED)) form.clearErrors(field)
    }
  }

  function set(name: Name<Values>, text: string): void {
    form.setValue(name as Path<Values>, text as PathValue<Values, Path<Values>>, { shouldDirty: true })
    revalidate(name)
    onEdit?.()
  }

  /**
   * Shows the error of a filled field when the focus moves to another input. When the focus moves to a button, no error is
   * shown, because its text would move the button away.
   */
  function validateOnBlur(name: Name<Values>, { relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!(relatedTarget instanceof HTMLInputElement) || form.getValues(name as Path<Values>).trim() === '') return
    const error = check(form.getValues()).find(({ field }) => field === name)
    if (error) form.setError(name as Path<Values>, { type: error.code, message: error.text ?? errorText(error.code) })
  }

  function focus(name: Name<Values>, { select = false } = {}): void {
    setFocus(name as Path<Values>, { shouldSelect: select })
  }

  const savedValues = latest ?? initial
  return {
    values,
    /** True if any field differs from its saved value. */
    isEdited: Object.entries(values).some(([name, text]) => text !== savedValues[name]),
    set,
    focus,
    /** Returns the props of a field. */
    field: (name: Name<Values>) => ({
      name,
      ref: form.register(name as Path<Values>).ref,
      value: values[name] as string,
      error: errors[name]?.message as string | undefined,
      onChange: (next: string | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, typeof next === 'string' ? next : next.currentTarget.value),
      onBlur: (event: FocusEvent<HTMLElement>) => validateOnBlur(name, event),
    }),
    /** Shows the server's refusal at a field. */
    showRefusal: (name: Name<Values>, message: string) =>
      form.setError(name as Path<Values>, { type: REFUSED, message }),
    /** Removes the error of a field, or of all fields. */
    clearErrors: (name?: Name<Values>) => form.clearErrors(name as Path<Values> | undefined),
    /** Replaces all values and marks them as unedited. */
    reset: (next: Values) => form.reset(next, { keepDirtyValues: false }),
    onSubmit: (send: (values: Values) => unknown) => (event?: FormEvent) =>
      void form.handleSubmit(
        (content) => send(content),
        () => {
          const [first] = check(form.getValues())
          if (!first) return
          focus(first.field)
          onInvalid?.(first.code)
        },
      )(event),
  }
}

type FormOptions<Values, Content, Response> = Omit<FieldsOptions<Values>, 'onInvalid' | 'onEdit'> &
  SubmissionOptions<Content, Response> & {
    /** Returns the content to send, from valid values. */
    read: (values: Values) => Content
    onDone?: (response: Response, content: Content) => void
    /** In a form of several steps, opens the next step. Returns false if there is none. */
    nextStep?: () => boolean
    /** Returns the field of a refusal; by default, the field that the refusal contains. */
    refusedField?: (refusal: Refusal) => Name<Values> | null
  }

/**
 * Returns the state of a form: its fields, the errors of each field, and `onSubmit`. Every form uses this hook. Errors appear
 * under their fields and in one toast. The form is sent as in `useSubmission`.
 *
 * @example
 * ```tsx
 * const form = useForm({
 *   initial: { amount: '' },
 *   startAt: 'amount',
 *   check: checkFor(owed.totalMinor),
 *   read: ({ amount }: Form) => ({ amountMinor: parseMinor(amount), asset: 'USD' as const }),
 *   send: (content, key) => payExtra(id, content, key),
 *   loading: ({ amountMinor }) => {
 *     const amount = money(amountMinor, asset)
 *     return t`Paying ${amount}…`
 *   },
 *   success: ({ amountMinor }) => {
 *     const amount = money(amountMinor, asset)
 *     return { message: t`${amount} paid` }
 *   },
 *   refusedField: () => 'amount',
 *   onDone,
 * })
 * return (
 *   <form noValidate onSubmit={form.onSubmit}>
 *     <AmountField {...form.field('amount')} label={t`Amount`} />
 *     <Button type="submit" busy={form.busy} done={form.done}>Pay</Button>
 *   </form>
 * )
 * ```
 */
export function useForm<Values extends Texts, Content, Response>(options: FormOptions<Values, Content, Response>) {
  const { read, onDone, nextStep, refusedField, ...otherOptions } = options
  const { submit, showError, dismissError, busy, done } = useSubmission<Content, Response>({
    ...otherOptions,
    onRefused,
  })
  const fields = useFields<Values>({ ...otherOptions, onInvalid: showError, onEdit: dismissError })

  function onRefused(refusal: Refusal): void {
    const namedField = refusal.field !== undefined && refusal.field in fields.values ? refusal.field : null
    const field = refusedField ? refusedField(refusal) : (namedField as Name<Values> | null)
    if (field !== null) {
      fields.showRefusal(field, messageOf(refusal))
      fields.focus(field, { select: true })
    }
    options.onRefused?.(refusal)
  }

  const onSubmit = fields.onSubmit(async (values) => {
    if (nextStep) dismissError()
    if (nextStep?.()) return
    const content = read(values)
    const response = await submit(content)
    if (response !== null) onDone?.(response, content)
  })

  return { ...fields, onSubmit, busy, done }
}

/** The type of a form, for the components of its parts. */
export type Form<Values extends Texts> = Omit<ReturnType<typeof useFields<Values>>, 'onSubmit'> & {
  onSubmit: (event?: FormEvent) => void
  busy: boolean
  done: boolean
}

type FieldProps = ReturnType<Form<Texts>['field']>

/** Some fields of a form, for a component that several forms share. */
export type FormPart<Values extends Texts> = {
  values: Values
  set: (name: Name<Values>, text: string) => void
  field: (name: Name<Values>) => FieldProps
}
