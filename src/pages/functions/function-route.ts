import type { LoaderFunctionArgs } from 'react-router';
import { ensure } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { functionCrumb, functionQuery, idIn } from './function-queries.ts';

/** Holds the pages about one function: its tabs, and its runs. */
export const handle: Handle = { crumb: functionCrumb, folder: true };
export const loader = ({ params }: LoaderFunctionArgs) => ensure(functionQuery(idIn(params)));
