import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { ErrorPage, ErrorScreen } from '#web/app/error-screen.tsx'
import { Layout } from '#web/app/layout.tsx'
import { loadScreen } from '#web/app/load-screen.tsx'
import { Splash } from '#web/app/splash.tsx'
import { paths } from '#web/lib/paths.ts'

/** A screen whose code is fetched when it is first opened. */
function screen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: { Component: () => loadScreen(load) } }
}

/** An address of the spec whose screen another piece of work brings. */
function notBuilt(path: string, title: MessageDescriptor): RouteObject {
  return screen(path, async () => {
    const { NotBuiltScreen } = await import('#web/app/not-built-screen.tsx')
    return () => <NotBuiltScreen title={title} />
  })
}

const screens: RouteObject[] = [
  screen(paths.dashboard, async () => (await import('#web/accounts/dashboard/dashboard-screen.tsx')).DashboardScreen),
  screen(
    paths.transactions,
    async () => (await import('#web/accounts/transactions/transactions-screen.tsx')).TransactionsScreen,
  ),
  screen(paths.transactionDetail, async () => (await import('#web/accounts/detail/detail-screen.tsx')).DetailScreen),
  screen(paths.addMoney, async () => (await import('#web/accounts/add-money-screen.tsx')).AddMoneyScreen),
  screen(paths.transfer, async () => (await import('#web/payments/transfer-screen.tsx')).TransferScreen),
  screen(paths.claim, async () => (await import('#web/payments/claim-screen.tsx')).ClaimScreen),
  screen(paths.review, async () => {
    const [{ ReviewScreen }, { NotFoundScreen }] = await Promise.all([
      import('#web/kyc/review/review-screen.tsx'),
      import('#web/app/not-found-screen.tsx'),
    ])
    return () => <ReviewScreen notFound={<NotFoundScreen />} />
  }),
  screen(paths.kyc, async () => (await import('#web/kyc/upload/kyc-screen.tsx')).KycScreen),
  screen(paths.sample, async () => (await import('#web/sample/panel-screen.tsx')).PanelScreen),
  screen(paths.sampleMail, async () => (await import('#web/sample/mail-screen.tsx')).MailScreen),
  screen(paths.home, async () => (await import('#web/onboarding/onboarding-screen.tsx')).OnboardingScreen),
  screen(paths.signup, async () => (await import('#web/identity/sign-up/sign-up-screen.tsx')).SignUpScreen),
  screen(paths.login, async () => (await import('#web/identity/sign-in/login-screen.tsx')).LoginScreen),
  screen(paths.resetPassword, async () => (await import('#web/identity/password/reset-screen.tsx')).ResetScreen),
  screen(paths.confirmEmail, async () => (await import('#web/identity/email/confirm-screen.tsx')).ConfirmScreen),
  notBuilt(paths.request, msg`Request Money`),
  notBuilt(paths.cards, msg`Cards`),
  screen(paths.settings, async () => (await import('#web/profile/settings-screen.tsx')).SettingsScreen),
  screen(paths.personalInfo, async () => (await import('#web/profile/personal-info-screen.tsx')).PersonalInfoScreen),
  screen(paths.securityPrivacy, async () => (await import('#web/profile/security/security-screen.tsx')).SecurityScreen),
  notBuilt(paths.paymentMethods, msg`Payment Methods`),
  screen(paths.language, async () => (await import('#web/profile/language-screen.tsx')).LanguageScreen),
  notBuilt(paths.helpCenter, msg`Help Center`),
  notBuilt(paths.notifications, msg`Notifications`),
  notBuilt(paths.invest, msg`Invest`),
  notBuilt(paths.savings, msg`Savings`),
  notBuilt(paths.aiAdvisor, msg`AI Advisor`),
  notBuilt(paths.analytics, msg`Analytics`),
  notBuilt(paths.crypto, msg`Crypto`),
  notBuilt(paths.carbonFootprint, msg`Carbon Footprint`),
  notBuilt(paths.loans, msg`Loans`),
  notBuilt(paths.splitBill, msg`Split Bill`),
  notBuilt(paths.rewards, msg`Rewards`),
  screen('*', async () => (await import('#web/app/not-found-screen.tsx')).NotFoundScreen),
]

export const router = createBrowserRouter([
  {
    Component: Layout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: Splash,
    children: [{ ErrorBoundary: ErrorScreen, children: screens }],
  },
])
