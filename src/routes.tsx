/**
 * All routes. A page is a module that exports `Component`, `loader` (awaits the page's queries with `ensure`) and
 * `handle` (its breadcrumb). It is loaded when first shown or when a link to it is hovered. A `panel` is a child of a
 * list page; PanelPage opens it beside the list.
 */
import { Navigate, Outlet, type RouteObject } from 'react-router';
import { FrameError, PageError } from './layouts/errors.tsx';
import { firstPage, page, panel } from './layouts/route.ts';
import * as Shell from './layouts/Shell.tsx';
import { path } from './lib/path.ts';

/** Pages outside the frame. Nothing is rendered before the first of them has loaded. */
const outside = { HydrateFallback: () => null, ErrorBoundary: FrameError };

export const routes: RouteObject[] = [
  { path: '/sign-in', ...outside, ...firstPage(() => import('./pages/sign-in/SignInPage.tsx')) },
  { path: '/sign-in/callback/:accountId?', ...outside, ...firstPage(() => import('./pages/sign-in/CallbackPage.tsx')) },
  { path: '/forgotten-password', ...outside, ...firstPage(() => import('./pages/sign-in/ForgottenPage.tsx')) },
  { path: '/second-factor', ...outside, ...firstPage(() => import('./pages/second-factor/SecondFactorPage.tsx')) },
  {
    path: '/api-reference/:operation?',
    ...outside,
    ...page(() => import('./pages/api-reference/ReferencePage.tsx')),
  },
  { path: '/welcome', ...outside, ...firstPage(() => import('./pages/welcome/WelcomePage.tsx')) },
  {
    middleware: Shell.middleware,
    Component: Shell.Component,
    ErrorBoundary: Shell.ErrorBoundary,
    HydrateFallback: Shell.HydrateFallback,
    children: [
      {
        ErrorBoundary: PageError,
        children: [
          { index: true, ...firstPage(() => import('./pages/overview/OverviewPage.tsx')) },

          {
            path: 'connections',
            handle: { crumb: 'Connections', folder: true },
            children: [
              { index: true, ...page(() => import('./pages/connections/ConnectionsPage.tsx')) },
              { path: 'new', ...page(() => import('./pages/connections/NewConnectionPage.tsx')) },
              { path: 'apps', element: <Navigate to={path.connectionNew()} replace /> },
              { path: 'apps/:app', ...page(() => import('./pages/connections/app/AppPage.tsx')) },
              { path: 'apps/:app/edit', ...page(() => import('./pages/connections/custom-app/EditAppPage.tsx')) },
              {
                path: ':connectionId',
                ...page(() => import('./pages/connections/ConnectionPage.tsx')),
                children: [
                  { index: true, ...page(() => import('./pages/connections/OverviewTab.tsx')) },
                  { path: 'try', ...page(() => import('./pages/connections/request/TryTab.tsx')) },
                  {
                    path: 'tools',
                    ...page(() => import('./pages/connections/tools/ToolsTab.tsx')),
                    children: [{ path: ':tool', ...panel(() => import('./pages/connections/tools/ToolPanel.tsx')) }],
                  },
                  {
                    path: 'calls',
                    ...page(() => import('./pages/connections/calls/CallsTab.tsx')),
                    children: [{ path: ':callId', ...panel(() => import('./pages/connections/calls/CallPanel.tsx')) }],
                  },
                  { path: 'settings', ...page(() => import('./pages/connections/SettingsTab.tsx')) },
                ],
              },
            ],
          },

          {
            path: 'triggers',
            handle: { crumb: 'Triggers', folder: true },
            children: [
              { index: true, ...page(() => import('./pages/triggers/TriggersPage.tsx')) },
              { path: 'new', ...page(() => import('./pages/triggers/new/NewTriggerPage.tsx')) },
              {
                path: ':triggerId/destinations/:destinationId/transform',
                ...page(() => import('./pages/functions/transform/TransformPage.tsx')),
              },
              {
                path: ':triggerId',
                ...page(() => import('./pages/triggers/TriggerPage.tsx')),
                children: [
                  { index: true, element: <Navigate to="events" replace /> },
                  {
                    path: 'events',
                    element: <Outlet />,
                    children: [{ path: ':eventId', ...panel(() => import('./pages/events/EventPanelPage.tsx')) }],
                  },
                  {
                    path: 'destinations',
                    handle: { crumb: 'Destinations' },
                    element: <Outlet />,
                    children: [
                      { path: 'new', ...panel(() => import('./pages/triggers/destinations/NewDestinationPanel.tsx')) },
                      {
                        path: ':destinationId',
                        ...panel(() => import('./pages/triggers/destinations/DestinationPanel.tsx')),
                      },
                    ],
                  },
                  { path: 'settings', handle: { crumb: 'Settings' }, element: null },
                  { path: 'rejections', handle: { crumb: 'Rejected requests' }, element: null },
                ],
              },
            ],
          },

          {
            path: 'events',
            ...page(() => import('./pages/events/EventsPage.tsx')),
            children: [{ path: ':triggerId/:eventId', ...panel(() => import('./pages/events/EventPanelPage.tsx')) }],
          },
          {
            path: 'problems',
            handle: { crumb: 'Problems', folder: true },
            children: [
              { index: true, ...page(() => import('./pages/problems/ProblemsPage.tsx')) },
              { path: ':problemId', ...page(() => import('./pages/problems/ProblemPage.tsx')) },
              {
                path: ':problemId/replays/:replayId',
                ...page(() => import('./pages/problems/replay/ReceiptPage.tsx')),
              },
            ],
          },
          {
            path: 'replays',
            handle: { crumb: 'Replays', folder: true },
            children: [
              { index: true, ...page(() => import('./pages/replays/ReplaysPage.tsx')) },
              {
                path: ':replayId',
                ...page(() => import('./pages/replays/ReplayPage.tsx')),
                children: [
                  {
                    path: 'events/:triggerId/:eventId',
                    ...panel(() => import('./pages/events/EventPanelPage.tsx')),
                  },
                ],
              },
            ],
          },

          {
            path: 'functions',
            handle: { crumb: 'Functions', folder: true },
            children: [
              {
                ...page(() => import('./pages/functions/search/FunctionsPage.tsx')),
                children: [
                  { index: true, ...page(() => import('./pages/functions/search/FunctionList.tsx')) },
                  { path: 'search', ...page(() => import('./pages/functions/search/SearchResults.tsx')) },
                ],
              },
              { path: 'new', ...page(() => import('./pages/functions/code/NewFunctionPage.tsx')) },
              {
                path: ':functionId',
                ...page(() => import('./pages/functions/function-route.ts')),
                children: [
                  {
                    ...page(() => import('./pages/functions/FunctionPage.tsx')),
                    children: [
                      { index: true, ...page(() => import('./pages/functions/code/CodeTab.tsx')) },
                      { path: 'versions', ...page(() => import('./pages/functions/versions/VersionsTab.tsx')) },
                      { path: 'runs', ...page(() => import('./pages/functions/runs/RunsTab.tsx')) },
                      { path: 'logs', ...page(() => import('./pages/functions/logs/LogsTab.tsx')) },
                      { path: 'environment', ...page(() => import('./pages/functions/settings/EnvironmentTab.tsx')) },
                      { path: 'settings', ...page(() => import('./pages/functions/settings/SettingsTab.tsx')) },
                    ],
                  },
                  { path: 'runs/:runId', ...page(() => import('./pages/functions/runs/RunPage.tsx')) },
                  {
                    path: 'runs/:runId/compare/:otherId',
                    ...page(() => import('./pages/functions/versions/ComparePage.tsx')),
                  },
                  { path: 'try', ...page(() => import('./pages/functions/shadows/TryPage.tsx')) },
                  { path: 'versions/:version/try', ...page(() => import('./pages/functions/shadows/TryPage.tsx')) },
                  { path: 'shadows/:shadowId', ...page(() => import('./pages/functions/shadows/ShadowPage.tsx')) },
                  {
                    path: 'shadows/:shadowId/:runId',
                    ...page(() => import('./pages/functions/shadows/ShadowRequestPage.tsx')),
                  },
                  { path: 'runs/:runId/bisect', ...page(() => import('./pages/functions/runs/BisectPage.tsx')) },
                ],
              },
            ],
          },
          { path: 'runs', ...page(() => import('./pages/runs/RunsPage.tsx')) },

          { path: 'docs/*', ...page(() => import('./pages/docs/DocPage.tsx')) },

          {
            path: 'settings',
            ...page(() => import('./pages/settings/SettingsPage.tsx')),
            children: [
              { index: true, element: <Navigate to={path.settings()} replace /> },
              { path: 'account', ...page(() => import('./pages/settings/AccountTab.tsx')) },
              { path: 'keys', ...page(() => import('./pages/settings/KeysTab.tsx')) },
              { path: 'members', ...page(() => import('./pages/settings/MembersTab.tsx')) },
              { path: 'security', ...page(() => import('./pages/settings/SecurityTab.tsx')) },
              { path: 'sso', ...page(() => import('./pages/settings/sso/SsoTab.tsx')) },
              { path: 'audit', ...page(() => import('./pages/settings/AuditTab.tsx')) },
            ],
          },

          { path: '*', ...page(() => import('./pages/not-found/NotFoundPage.tsx')) },
        ],
      },
    ],
  },
];
