import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { AuthLayout } from '#web/identity/layout/auth-layout.tsx'
import { useEnterApp } from '#web/identity/layout/enter-app.ts'
import { usePasswordRule } from '#web/identity/password/password-rule.ts'
import { signUp } from '#web/identity/queries.ts'
import {
  checkSignUpStep,
  EMPTY_SIGN_UP,
  furthestStep,
  referralIn,
  refusedField,
  type SignUpRules,
  type SignUpField,
  STEP_OF,
  SIGN_UP_STEPS,
} from '#web/identity/sign-up/sign-up-form.ts'
import { NameStep, PasswordStep, ReviewStep, type SignUpFormState } from '#web/identity/sign-up/sign-up-steps.tsx'
import { useForm } from '#web/lib/form.ts'
import { storeNext, withNext } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { NO_OWNER, readVisitorDraft, useFormDraft } from '#web/lib/form-draft.ts'
import { usePhoneLibrary } from '#web/ui/phone-library.ts'
import { Stepper } from '#web/ui/stepper.tsx'

const HEADINGS = [
  msg`Create your account`,
  msg({ message: 'Secure your account', comment: 'The heading of the second step of the sign-up' }),
  msg`Check your details`,
] as const
const INTROS = [
  msg`Let's start with your name and email.`,
  msg`Add your phone number and choose a password only you know.`,
  msg`Does everything look right? You can change it later.`,
] as const

/**
 * Returns the current step. Each step has its own entry in the browser's history, so the browser's Back and the form's Back do
 * the same.
 */
function useSteps(lastStep: number) {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const requestedStep = Number((state as { step?: unknown } | null)?.step ?? 1) || 1
  const step = Math.min(requestedStep, lastStep)
  useEffect(() => {
    if (requestedStep > step) void navigate(step - requestedStep)
  }, [requestedStep, step, navigate])
  return {
    step,
    nextStep: () => void navigate({ pathname: paths.signup, search }, { state: { step: step + 1 } }),
    goTo: (earlier: number) => void navigate(earlier - step),
  }
}

/** Moves the focus on each new step, to its heading or to a refused field. The errors of the previous step are cleared. */
function useStepChange(step: number, form: Pick<SignUpFormState, 'focus' | 'clearErrors'>) {
  const shownStep = useRef(step)
  const refusedFieldRef = useRef<SignUpField | null>(null)
  const arrive = useEffectEvent(() => {
    const field = refusedFieldRef.current
    refusedFieldRef.current = null
    if (field && STEP_OF[field] === step) return form.focus(field, { select: true })
    form.clearErrors()
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    arrive()
  }, [step])
  return (field: SignUpField) => {
    refusedFieldRef.current = field
  }
}

/** Returns the form, the current step, and functions for the next step and the submission. */
function useSignUpForm() {
  const { t } = useLingui()
  const { search } = useLocation()
  const enterApp = useEnterApp()
  const [initial] = useState(() => readVisitorDraft(paths.signup, EMPTY_SIGN_UP))

  const form = useForm({
    initial,
    check: (values) => checkSignUpStep(values, step, rules),
    nextStep: () => {
      if (step < SIGN_UP_STEPS) nextStep()
      return step < SIGN_UP_STEPS
    },
    read: ({ fullName, email, phone, password }) => ({
      fullName: fullName.trim(),
      email: email.trim(),
      phone: phone.trim(),
      password,
      ...referralIn(search),
    }),
    send: signUp,
    loading: () => t`Creating your account…`,
    success: () => ({ message: t`Account created! Proceeding to KYC verification...` }),
    refusedField,
    onRefused: (refusal) => {
      const field = refusedField(refusal)
      if (!field) return
      focusLater(field)
      goTo(STEP_OF[field])
    },
    onDone: (me) => {
      enterApp(me, withNext(paths.kyc, search))
      storeNext(search)
    },
  })
  const { step, nextStep, goTo } = useSteps(furthestStep(form.values))
  const rules = useRules(step)
  const focusLater = useStepChange(step, form)
  // Passwords are never stored.
  useFormDraft(paths.signup, form, { owner: NO_OWNER, initial: EMPTY_SIGN_UP, except: ['password', 'confirmPassword'] })
  return { form, step, goTo, minLength: rules.password.minLength }
}

/** Returns the bank's rules. The code that checks them is loaded with the step that needs it. */
function useRules(step: number): SignUpRules {
  const password = usePasswordRule(step === STEP_OF.password)
  const phones = usePhoneLibrary(step === STEP_OF.phone)
  return { password, isPhone: phones?.isPhone ?? (() => true) }
}

/** Opens an account in three steps. */
export function SignUpScreen() {
  const { t } = useLingui()
  const { form, step, goTo, minLength } = useSignUpForm()
  return (
    <AuthLayout
      title={t({ message: 'Sign Up', context: 'title of a screen' })}
      heading={t(HEADINGS[step - 1] ?? HEADINGS[0])}
      picture="secure"
      onlyBeside
      intro={t(INTROS[step - 1] ?? INTROS[0])}
      back={step === 1 ? paths.home : () => goTo(step - 1)}
    >
      <Stepper
        step={step}
        steps={SIGN_UP_STEPS}
        label={t({ message: 'Sign-up', comment: 'The name of a progress bar, for screen readers' })}
      />
      <form key={step} noValidate onSubmit={form.onSubmit} className="flex flex-1 animate-screen-in flex-col gap-5">
        {step === 1 && <NameStep form={form} />}
        {step === 2 && <PasswordStep form={form} minLength={minLength} />}
        {step === 3 && <ReviewStep form={form} goTo={goTo} />}
      </form>
    </AuthLayout>
  )
}
