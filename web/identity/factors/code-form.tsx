import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formErrors, useFields } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { OtpField } from '#web/ui/otp-field.tsx'

/** The length of a code of an authenticator app (RFC 6238, in the form that all common apps support). */
const DIGITS = 6

type CodeFormProps = {
  /** The label of the button that sends the code. */
  action: string
  busy: boolean
  /** Whether the code was accepted. */
  done?: boolean
  /** The error of the last code; null if there is none. Editing clears the error. */
  error: string | null
  onEdit: () => void
  /** Returns whether the code was accepted. */
  onCode: (code: string) => Promise<boolean>
}

/** Returns the typed code and its submission. Each kind of code has its own field, which begins empty. */
function useCode({ busy, done = false, onEdit, onCode }: CodeFormProps) {
  const { t } = useLingui()
  const [kind, setKind] = useState<'code' | 'recovery'>('code')
  const form = useFields({
    initial: { code: '', recovery: '' },
    startAt: kind,
    check: ({ code, recovery }) =>
      kind === 'code'
        ? formErrors(code.length < DIGITS && { field: 'code', code: 'fields_missing', text: t`Enter all six digits` })
        : formErrors(
            recovery.trim() === '' && { field: 'recovery', code: 'fields_missing', text: t`Enter a recovery code` },
          ),
  })
  const submit = form.onSubmit(async (values) => {
    if (busy || done) return
    form.focus(kind)
    const isAccepted = await onCode(values[kind])
    // A refused code is typed again as a whole, so the field is cleared.
    if (!isAccepted && kind === 'code') form.set('code', '')
  })
  return {
    kind,
    submit,
    field: form.field(kind),
    edit: (text: string) => {
      form.set(kind, text)
      onEdit()
    },
    toggle: () => {
      form.reset({ code: '', recovery: '' })
      setKind(kind === 'code' ? 'recovery' : 'code')
      onEdit()
    },
  }
}

/** Asks for a code of the authenticator app or, if the app is lost, for a recovery code. */
export function CodeForm(props: CodeFormProps) {
  const { t } = useLingui()
  const { action, busy, done = false } = props
  const { kind, submit, field, edit, toggle } = useCode(props)
  const error = field.error ?? props.error ?? undefined
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {kind === 'recovery' ? (
        <Field
          {...field}
          key="recovery"
          label={t`Recovery Code`}
          error={error}
          placeholder="ABCDE-FGHJK"
          hint={t`Each of your ten recovery codes works once.`}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => edit(event.currentTarget.value)}
        />
      ) : (
        <OtpField
          {...field}
          key="code"
          label={t`Six-Digit Code`}
          error={error}
          length={DIGITS}
          onChange={edit}
          onFull={() => submit()}
        />
      )}
      <Button type="submit" busy={busy} done={done}>
        {action}
      </Button>
      <Button variant="quiet" size="small" className="self-center" onClick={toggle}>
        {kind === 'recovery' ? t`Use Your Authenticator App` : t`Use a Recovery Code`}
      </Button>
    </form>
  )
}
