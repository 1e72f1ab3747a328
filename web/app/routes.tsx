import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { chosenId, searchWithoutId } from '#web/accounts/shared/chosen.ts'
import { ErrorPage, ErrorScreen } from '#web/app/error-screen.tsx'
import { Layout } from '#web/app/layout.tsx'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import { listWithDetails } from '#web/app/shell/groups.ts'
import { Splash } from '#web/app/splash.tsx'
import { articleIdIn, withoutArticle } from '#web/help/shared/address.ts'
import { paths } from '#web/lib/paths.ts'

/** A screen whose code is fetched when it is first opened. */
function screen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: { Component: () => loadScreen(load) } }
}

/** What the rows of the settings open. */
const SECTIONS = [paths.personalInfo, paths.securityPrivacy, paths.paymentMethods, paths.language]
const SECURITY_LISTS = [paths.devices, paths.securityActivity]

const transactionsScreen = async () =>
  (await import('#web/accounts/transactions/transactions-screen.tsx')).TransactionsScreen
const settingsScreen = async () => (await import('#web/profile/settings-screen.tsx')).SettingsScreen
const personalInfoScreen = async () => (await import('#web/profile/personal-info-screen.tsx')).PersonalInfoScreen
const securityScreen = async () => (await import('#web/profile/security/security-screen.tsx')).SecurityScreen

const notificationsScreen = async () =>
  (await import('#web/notifications/notifications-screen.tsx')).NotificationsScreen
const helpScreen = async () => (await import('#web/help/help-screen.tsx')).HelpScreen
const noticePreferencesScreen = async () =>
  (await import('#web/notifications/preferences-screen.tsx')).NoticePreferencesScreen

/** Lists that have something open beside them where there is room. */
const lists: RouteObject[] = [
  listWithDetails({
    home: paths.transactions,
    list: transactionsScreen,
    beside: async () => (await import('#web/app/shell/nothing-chosen.tsx')).NothingChosen,
    opens: [paths.transactionDetail],
    chosenIn: chosenId,
    closedFrom: ({ search }) => paths.transactions + searchWithoutId(search),
    children: [
      screen(
        paths.transactionDetail,
        async () => (await import('#web/accounts/detail/detail-screen.tsx')).DetailScreen,
      ),
    ],
  }),
  // Settings have their first section open, as those of a device do.
  listWithDetails({
    home: paths.settings,
    list: settingsScreen,
    beside: personalInfoScreen,
    opens: SECTIONS,
    chosenIn: ({ pathname }) => (pathname === paths.settings ? paths.personalInfo : pathname),
    closedFrom: null,
    children: [
      screen(paths.personalInfo, personalInfoScreen),
      screen(paths.securityPrivacy, securityScreen),
      screen(
        paths.paymentMethods,
        async () => (await import('#web/payment-methods/payment-methods-screen.tsx')).PaymentMethodsScreen,
      ),
      screen(paths.language, async () => (await import('#web/profile/language-screen.tsx')).LanguageScreen),
    ],
  }),
  listWithDetails({
    home: paths.notifications,
    list: notificationsScreen,
    beside: noticePreferencesScreen,
    opens: [paths.notificationPreferences],
    chosenIn: ({ pathname }) => pathname,
    closedFrom: null,
    children: [screen(paths.notificationPreferences, noticePreferencesScreen)],
  }),
  listWithDetails({
    home: paths.helpCenter,
    list: helpScreen,
    beside: async () => (await import('#web/help/nothing-chosen.tsx')).NothingChosen,
    opens: [paths.helpArticle],
    chosenIn: ({ search }) => articleIdIn(search),
    closedFrom: ({ search }) => paths.helpCenter + withoutArticle(search),
    children: [screen(paths.helpArticle, async () => (await import('#web/help/article-screen.tsx')).ArticleScreen)],
  }),
  // Security stands among the sections itself; it is the list once one of its own is open.
  listWithDetails({
    home: paths.securityPrivacy,
    list: securityScreen,
    opens: SECURITY_LISTS,
    chosenIn: ({ pathname }) => pathname,
    closedFrom: () => paths.securityPrivacy,
    children: [
      screen(paths.devices, async () => (await import('#web/profile/security/devices-screen.tsx')).DevicesScreen),
      screen(
        paths.securityActivity,
        async () => (await import('#web/profile/security/activity-screen.tsx')).ActivityScreen,
      ),
    ],
  }),
]

const screens: RouteObject[] = [
  ...lists,
  screen(paths.dashboard, async () => (await import('#web/accounts/dashboard/dashboard-screen.tsx')).DashboardScreen),
  screen(paths.addMoney, async () => (await import('#web/accounts/add-money-screen.tsx')).AddMoneyScreen),
  screen(paths.transfer, async () => (await import('#web/payments/transfer-screen.tsx')).TransferScreen),
  screen(paths.savings, async () => (await import('#web/savings/savings-screen.tsx')).SavingsScreen),
  screen(paths.splitBill, async () => (await import('#web/bills/split-bill-screen.tsx')).SplitBillScreen),
  screen(paths.request, async () => (await import('#web/requests/request-screen.tsx')).RequestScreen),
  screen(paths.claim, async () => (await import('#web/payments/claim-screen.tsx')).ClaimScreen),
  screen(paths.review, async () => {
    const [{ ReviewScreen }, { NotFoundScreen }] = await Promise.all([
      import('#web/kyc/review/review-screen.tsx'),
      import('#web/app/not-found-screen.tsx'),
    ])
    return () => <ReviewScreen notFound={<NotFoundScreen />} />
  }),
  screen(paths.reviewDisputes, async () => {
    const [{ DisputesScreen }, { NotFoundScreen }] = await Promise.all([
      import('#web/disputes/disputes-screen.tsx'),
      import('#web/app/not-found-screen.tsx'),
    ])
    return () => <DisputesScreen notFound={<NotFoundScreen />} />
  }),
  screen(paths.kyc, async () => (await import('#web/kyc/upload/kyc-screen.tsx')).KycScreen),
  screen(paths.sample, async () => (await import('#web/sample/panel-screen.tsx')).PanelScreen),
  screen(paths.sampleMail, async () => (await import('#web/sample/mail-screen.tsx')).MailScreen),
  screen(paths.home, async () => (await import('#web/onboarding/onboarding-screen.tsx')).OnboardingScreen),
  screen(paths.signup, async () => (await import('#web/identity/sign-up/sign-up-screen.tsx')).SignUpScreen),
  screen(paths.login, async () => (await import('#web/identity/sign-in/login-screen.tsx')).LoginScreen),
  screen(paths.resetPassword, async () => (await import('#web/identity/password/reset-screen.tsx')).ResetScreen),
  screen(paths.confirmEmail, async () => (await import('#web/identity/email/confirm-screen.tsx')).ConfirmScreen),
  screen(paths.cards, async () => (await import('#web/cards/cards-screen.tsx')).CardsScreen),
  screen(paths.invest, async () => (await import('#web/investing/screen/invest-screen.tsx')).InvestScreen),
  screen(paths.aiAdvisor, async () => (await import('#web/advisor/advisor-screen.tsx')).AdvisorScreen),
  screen(paths.analytics, async () => (await import('#web/insights/analytics-screen.tsx')).AnalyticsScreen),
  screen(paths.crypto, async () => (await import('#web/crypto/crypto-screen.tsx')).CryptoScreen),
  screen(paths.carbonFootprint, async () => (await import('#web/carbon/carbon-screen.tsx')).CarbonScreen),
  screen(paths.loans, async () => (await import('#web/loans/loans-screen.tsx')).LoansScreen),
  screen(paths.statements, async () => (await import('#web/statements/statements-screen.tsx')).StatementsScreen),
  screen(paths.rewards, async () => (await import('#web/rewards/rewards-screen.tsx')).RewardsScreen),
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
