// SPDX-License-Identifier: Apache-2.0
// Made by tools/types.mjs from the OpenAPI document of the API.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what this server is and can do */
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what is open */
        get: operations["get_targets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a target at a glance */
        get: operations["get_targets_t"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the column families */
        get: operations["get_targets_t_cfs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one column family */
        get: operations["get_targets_t_cfs_cf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the table files, by level */
        get: operations["get_targets_t_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one table file */
        get: operations["get_targets_t_files_n"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of a table is what: ranges that tile it */
        get: operations["get_targets_t_files_n_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the handles of a table's index, of its top level or of one partition */
        get: operations["get_targets_t_files_n_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a table's filter: kind, fill and measured false positives */
        get: operations["get_targets_t_files_n_filter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/scan_reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which bytes of a table a scan from its beginning reads, one read after the other */
        get: operations["get_targets_t_files_n_scan_reads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/filter:probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what the filter says of a key, and which bits say it */
        get: operations["get_targets_t_files_n_filter_probe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the blocks of a table, each read and verified */
        get: operations["get_targets_t_files_n_blocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks/{offset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one block */
        get: operations["get_targets_t_files_n_blocks_offset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks/{offset}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the entries of a block, with restarts and shared prefixes */
        get: operations["get_targets_t_files_n_blocks_offset_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/hex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** some bytes of a table or of a block, in hexadecimal */
        get: operations["get_targets_t_files_n_hex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal/{n}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of a log is what */
        get: operations["get_targets_t_wal_n_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/manifest/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of the MANIFEST is what */
        get: operations["get_targets_t_manifest_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the entries of a table as stored, range deletions last */
        get: operations["get_targets_t_files_n_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the levels of a family, with scores and overlaps */
        get: operations["get_targets_t_cfs_cf_levels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the options of a family and its tables that differ from the defaults */
        get: operations["get_targets_t_cfs_cf_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** set options of a running database: {"name":value} */
        patch: operations["patch_targets_t_cfs_cf_options"];
        trace?: never;
    };
    "/targets/{t}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the options of the database and its families that differ from the defaults */
        get: operations["get_targets_t_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/versions/{edit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the shape of the database after an edit, or "newest" */
        get: operations["get_targets_t_versions_edit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/versions:diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what differs between two edits, or two databases */
        get: operations["get_targets_t_versions_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/manifest/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the edits of the MANIFEST */
        get: operations["get_targets_t_manifest_edits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** flushes, compactions, moves and ingestions, oldest first */
        get: operations["get_targets_t_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** where a table came from and what became of it */
        get: operations["get_targets_t_files_n_lineage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the write-ahead logs */
        get: operations["get_targets_t_wal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal/{n}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the batches of a log, and its damage */
        get: operations["get_targets_t_wal_n_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what RocksDB wrote into its LOG */
        get: operations["get_targets_t_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** every property of a table, as stored and decoded */
        get: operations["get_targets_t_files_n_properties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/footer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the footer of a table and its metaindex */
        get: operations["get_targets_t_files_n_footer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/range_dels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the range deletions of a table */
        get: operations["get_targets_t_files_n_range_dels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a table as it lies on disk, or one block of it; understands Range */
        get: operations["get_targets_t_files_n_bytes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a running engine counts */
        get: operations["get_targets_t_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/stats/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the same over time */
        get: operations["get_targets_t_stats_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the value of a key */
        get: operations["get_targets_t_cfs_cf_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:multiget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** the values of several keys, read together: {"keys":["a","hex:6b31"]} */
        post: operations["post_targets_t_cfs_cf_multiget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a get looks at, stop by stop */
        get: operations["get_targets_t_cfs_cf_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** what a batch of gets looks at: {"keys":["a","hex:6b31"]} */
        post: operations["post_targets_t_cfs_cf_explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/explain/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a scan reads and steps over, table by table */
        get: operations["get_targets_t_cfs_cf_explain_scan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/locate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which files hold a key, and why the others do not */
        get: operations["get_targets_t_cfs_cf_locate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the records in key order */
        get: operations["get_targets_t_cfs_cf_scan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:flush": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** write the memtables of a running database to a table */
        post: operations["post_targets_t_cfs_cf_flush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** write to a running database, all or nothing: {"ops":[{"op":"put",…}]} */
        post: operations["post_targets_t_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the jobs of a target */
        get: operations["get_targets_t_jobs"];
        put?: never;
        /** start a job: {"kind":"verify"} */
        post: operations["post_targets_t_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a job's state and progress; with Accept: text/event-stream, as they change */
        get: operations["get_targets_t_jobs_j"];
        put?: never;
        post?: never;
        /** cancel a job that runs; forget one that has ended */
        delete: operations["delete_targets_t_jobs_j"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a job found out; its schema depends on the kind of job */
        get: operations["get_targets_t_jobs_j_result"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** everything a verification found */
        get: operations["get_targets_t_jobs_j_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/analyses/{analysis}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the newest result of an analysis: space, tombstones, keyspace, filters, compression */
        get: operations["get_targets_t_analyses_analysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schema/{name}/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the JSON Schema of a document */
        get: operations["get_schema_name_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** this API as OpenAPI 3.1 */
        get: operations["get_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AsOf: {
            edit?: string;
            seq?: string;
            live: boolean;
        };
        Batch: {
            ops: {
                /** @enum {string} */
                op: "put" | "delete" | "single_delete" | "merge" | "range_delete";
                cf?: string;
                key?: string;
                value?: string;
                from?: string;
                to?: string;
            }[];
        };
        BatchDocument: {
            /** @constant */
            schema: "varve.batch/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            written: number;
        };
        Block: {
            offset: number;
            size: number;
            kind: string;
            codec: string;
            raw_size: number;
            checksum: {
                ok: boolean;
                stored: string;
                computed: string;
                patched?: boolean;
            };
            entries?: number;
            restarts?: number;
            restart_interval?: number;
            key_bytes?: number;
            shared_key_bytes?: number;
            value_bytes?: number;
            hash_buckets?: number;
            hash_empty?: number;
            hash_collisions?: number;
            separated?: boolean;
            problem?: string;
        };
        BlockDocument: {
            /** @constant */
            schema: "varve.block/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            block: components["schemas"]["Block"];
        };
        BlockEntriesDocument: {
            /** @constant */
            schema: "varve.block_entries/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            kind: string;
            entries: components["schemas"]["BlockEntry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        BlockEntry: {
            blocks?: number;
            offset: number;
            restart: boolean;
            shared: number;
            non_shared: number;
            key: components["schemas"]["Bytes"];
            seq?: string;
            type?: string;
            value?: components["schemas"]["Bytes"];
            handle?: components["schemas"]["BlockHandle"];
            first_key?: components["schemas"]["Bytes"];
        };
        BlockHandle: {
            offset: number;
            size: number;
        };
        BlockRead: {
            /** @enum {string} */
            kind: "filter_partition" | "index_partition" | "data";
            offset: number;
            size: number;
            raw_size: number;
            cached: boolean;
            ns?: number;
            rocksdb_only?: boolean;
        };
        BlocksDocument: {
            /** @constant */
            schema: "varve.blocks/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            blocks_total: number;
            problems: string[];
            blocks: components["schemas"]["Block"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Bound: {
            key: components["schemas"]["Bytes"];
            seq: string;
            type: string;
        };
        Bytes: {
            hex?: string;
            b64?: string;
            text?: string;
            len: number;
            /** @constant */
            truncated?: true;
            href?: string;
        };
        Capabilities: {
            write: boolean;
            live: boolean;
            metrics: boolean;
            bench: boolean;
            jobs: string[];
            max_body: number;
            codecs: string[];
            comparators: string[];
            decoders: string[];
        };
        CfDocument: {
            /** @constant */
            schema: "varve.cf/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            family: components["schemas"]["FamilySummary"];
        };
        CfsDocument: {
            /** @constant */
            schema: "varve.cfs/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["FamilySummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        CompactDocument: {
            /** @constant */
            schema: "varve.compact/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            compacted: boolean;
            cf: string;
        };
        CompactionShape: {
            /** @enum {string} */
            style: "level" | "universal" | "fifo" | "none";
            dynamic_level_bytes: boolean;
            level0_trigger: number;
            base_level: number;
            compensated: boolean;
        };
        CompressionDocument: {
            /** @constant */
            schema: "varve.compression/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["CompressionFamily"][];
            unreadable: string[];
        };
        CompressionFamily: {
            id: number;
            name: string;
            levels: {
                level: number;
                files: number;
                file_bytes: number;
                index_bytes: number;
                codecs: {
                    codec: string;
                    files: number;
                    raw_bytes: number;
                    stored_bytes: number;
                    ratio: number;
                }[];
            }[];
        };
        Database: {
            /** @enum {string} */
            kind: "rocksdb" | "leveldb";
            id: string;
            manifest: string;
            manifest_bytes: number;
            next_file_number: string;
            cfs: components["schemas"]["FamilySummary"][];
            wals: {
                id: string;
                size: number;
                live: boolean;
            }[];
            orphans: string[];
            missing: string[];
            digest?: unknown;
        };
        DiffDocument: {
            /** @constant */
            schema: "varve.diff/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            equal: boolean;
            same: number;
            only_a: number;
            only_b: number;
            changed: number;
            cfs_only_a: string[];
            cfs_only_b: string[];
            complete: boolean;
            differences: {
                cf: string;
                /** @enum {string} */
                kind: "only_a" | "only_b" | "changed";
                key: components["schemas"]["Bytes"];
                value: components["schemas"]["Bytes"];
            }[];
        };
        DigestDocument: {
            /** @constant */
            schema: "varve.digest/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            digest: {
                xxh3: string;
                records: number;
            };
            missing: string[];
        };
        Edit: {
            edit: string;
            offset: number;
            size: number;
            /** @enum {string} */
            kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "add_family" | "drop_family" | "counters";
            cf: string;
            cf_id: number;
            counters: components["schemas"]["EditCounters"];
            deleted: {
                file: string;
                level: number;
            }[];
            added: components["schemas"]["EditFile"][];
            blob_files: components["schemas"]["EditBlobFile"][];
            atomic_group_remaining?: number;
            wals_added?: string[];
            wals_deleted_below?: string;
            skipped_tags?: number[];
        };
        EditBlobFile: {
            file: string;
            blobs: number;
            bytes: number;
            garbage: boolean;
        };
        EditCounters: {
            comparator?: string;
            db_id?: string;
            max_cf_id?: string;
            log_number?: string;
            prev_log_number?: string;
            min_log_number_to_keep?: string;
            next_file_number?: string;
            last_seq?: string;
        };
        EditFile: {
            file: string;
            level: number;
            size: number;
            smallest: components["schemas"]["Bound"];
            largest: components["schemas"]["Bound"];
            smallest_seq: string;
            largest_seq: string;
            unique_id?: string;
        };
        EditsDocument: {
            /** @constant */
            schema: "varve.edits/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            edits: components["schemas"]["Edit"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        EntriesDocument: {
            /** @constant */
            schema: "varve.entries/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            entries: components["schemas"]["Entry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Entry: {
            key: components["schemas"]["Bytes"];
            seq: string;
            type: string;
            value?: components["schemas"]["Bytes"];
        };
        EntryCount: {
            entries: number;
            bytes: number;
        };
        EventsDocument: {
            /** @constant */
            schema: "varve.events/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            events: components["schemas"]["LogEvent"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        ExplainDocument: {
            /** @constant */
            schema: "varve.explain/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            op: string;
            key: components["schemas"]["Bytes"];
            result: components["schemas"]["GetResult"];
            steps: components["schemas"]["ExplainStep"][];
            totals: components["schemas"]["ReadTotals"];
        };
        ExplainReadsDocument: {
            /** @constant */
            schema: "varve.explain_reads/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            op: string;
            keys: components["schemas"]["ExplainedGet"][];
            totals: components["schemas"]["ReadTotals"];
            memtable_search: {
                entries: number;
                visited_tree: number;
                visited_per_key: number;
                visited_finger: number;
            };
        };
        ExplainScanDocument: {
            /** @constant */
            schema: "varve.explain_scan/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @enum {string} */
            op: "scan";
            result: {
                rows: number;
                ended: boolean;
                first?: components["schemas"]["Bytes"];
                last?: components["schemas"]["Bytes"];
            };
            parts: components["schemas"]["ScanPart"][];
            totals: components["schemas"]["ScanTotals"];
        };
        ExplainStep: {
            n: number;
            /** @enum {string} */
            source: "memtable" | "file";
            file?: string;
            level?: number;
            verdict: string;
            filter?: components["schemas"]["FilterLook"];
            reads: components["schemas"]["BlockRead"][];
            versions: components["schemas"]["KeyVersion"][];
            comparisons: number;
            covered_by?: string;
            problem?: components["schemas"]["Problem"];
        };
        ExplainedGet: {
            key: components["schemas"]["Bytes"];
            result: components["schemas"]["GetResult"];
            steps: components["schemas"]["ExplainStep"][];
            totals: components["schemas"]["ReadTotals"];
        };
        FamilySummary: {
            cf: string;
            cf_id: number;
            name: components["schemas"]["Bytes"];
            comparator: string;
            comparator_known: boolean;
            files: number;
            bytes: number;
            blob_files: number;
            log_number: string;
            levels: {
                level: number;
                files: number;
                bytes: number;
                score: number;
            }[];
        };
        FamilyWrites: {
            cf: string;
            flushes: number;
            flushed_bytes: number;
            ingestions: number;
            ingested_bytes: number;
            compactions: number;
            compaction_read_bytes: number;
            compaction_written_bytes: number;
            moves: number;
            deletions: number;
            write_amplification?: number;
        };
        FileDocument: {
            /** @constant */
            schema: "varve.file/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            properties?: components["schemas"]["TableProperty"][];
            lineage?: components["schemas"]["Lineage"];
            file: components["schemas"]["TableFile"];
        };
        FileSummary: {
            id: string;
            name: string;
            cf: string;
            cf_id: number;
            level: number;
            size: number;
            smallest: components["schemas"]["Bound"];
            largest: components["schemas"]["Bound"];
            smallest_seq: string;
            largest_seq: string;
            epoch: string;
            creation_time_unix_s: number;
            oldest_ancestor_time_unix_s: number;
            unique_id: string;
            path_id: number;
            marked_for_compaction: boolean;
            present: boolean;
            added_by_edit: string;
            overlap?: {
                level: number;
                files: number;
                bytes: number;
            };
            entries?: number;
            deletions?: number;
            range_deletions?: number;
            merges?: number;
            raw_key_bytes?: number;
            raw_value_bytes?: number;
        };
        FilesDocument: {
            /** @constant */
            schema: "varve.files/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            files: components["schemas"]["FileSummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        FilterDocument: {
            /** @constant */
            schema: "varve.filter/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            filter: components["schemas"]["TableFilter"];
        };
        FilterLook: {
            kind: string;
            partitioned: boolean;
            may_match: boolean;
            bits?: number[];
            first_zero?: number;
        };
        FilterProbeDocument: {
            /** @constant */
            schema: "varve.filter_probe/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            key: components["schemas"]["Bytes"];
            filter: components["schemas"]["FilterLook"];
            reads: components["schemas"]["BlockRead"][];
        };
        FiltersDocument: {
            /** @constant */
            schema: "varve.filters/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["FiltersFamily"][];
            unreadable: string[];
        };
        FiltersFamily: {
            id: number;
            name: string;
            levels: {
                level: number;
                files: number;
                file_bytes: number;
                filters: {
                    kind: string;
                    files: number;
                    entries: number;
                    bytes: number;
                    bits_per_key: number;
                }[];
            }[];
        };
        Finding: {
            /** @enum {string} */
            severity: "error" | "not_checked" | "unreadable" | "warning";
            layer: string;
            file: string;
            what: string;
            offset?: number;
            lost_range?: {
                from?: components["schemas"]["Bytes"];
                to?: components["schemas"]["Bytes"];
            };
        };
        FindingsDocument: {
            /** @constant */
            schema: "varve.findings/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            findings: components["schemas"]["Finding"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        FlushDocument: {
            /** @constant */
            schema: "varve.flush/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            flushed: boolean;
        };
        FooterDocument: {
            /** @constant */
            schema: "varve.footer/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            footer: {
                table_type: string;
                format_version: number;
                checksum: string;
                base_context_checksum: string;
                metaindex: components["schemas"]["BlockHandle"];
                index: components["schemas"]["BlockHandle"];
            };
            metaindex: {
                name: string;
                offset: number;
                size: number;
            }[];
        };
        GetDocument: {
            /** @constant */
            schema: "varve.get/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            found: boolean;
            key: components["schemas"]["Bytes"];
            value?: components["schemas"]["Bytes"];
        };
        GetResult: {
            found: boolean;
            seq?: string;
            file?: string;
            merged?: boolean;
            problem?: components["schemas"]["Problem"];
        };
        HexDocument: {
            /** @constant */
            schema: "varve.hex/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            offset: number;
            size: number;
            total: number;
            hex: string;
        };
        HistogramBar: {
            from: number;
            below: number;
            count: number;
        };
        HistoryDocument: {
            /** @constant */
            schema: "varve.history/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            manifest: string;
            logs: string[];
            warnings: string[];
            totals: components["schemas"]["FamilyWrites"][];
            jobs: components["schemas"]["HistoryJob"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        HistoryFile: {
            file: string;
            level: number;
            size: number;
        };
        HistoryJob: {
            /** @enum {string} */
            kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
            edit?: string;
            cf: string;
            cf_id: number;
            inputs: components["schemas"]["HistoryFile"][];
            outputs: components["schemas"]["HistoryFile"][];
            output_level: number;
            bytes_read: number;
            bytes_written: number;
            write_amplification?: number;
            creation_time_unix_s?: number;
            inferred: boolean;
            job?: number;
            log?: string;
            reason?: string;
            started_unix_us?: number;
            finished_unix_us?: number;
        };
        IndexDocument: {
            /** @constant */
            schema: "varve.index/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            offset: number;
            size: number;
            kind: string;
            two_levels: boolean;
            /** @enum {string} */
            leads_to: "index_partition" | "data";
            user_keys: boolean;
            delta_encoded: boolean;
            handles: components["schemas"]["BlockEntry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Interval: {
            estimate: number;
            ci95: number[];
        };
        Job: {
            id: string;
            kind: string;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            progress: {
                done: number;
                total: number;
                unit: string;
            };
            started_unix_us: number;
            href: string;
            result_href?: string;
            problem?: components["schemas"]["Problem"];
        };
        JobBody: {
            file?: string;
            /** @constant */
            kind: "verify";
        } | {
            /** @constant */
            kind: "digest";
        } | {
            other: string;
            cf?: string;
            brief?: boolean;
            /** @constant */
            kind: "diff";
        } | {
            cf?: string;
            from?: string;
            to?: string;
            /** @constant */
            kind: "compact";
        } | {
            file?: string;
            /** @constant */
            kind: "salvage";
        } | {
            /** @enum {string} */
            analysis: "space" | "tombstones" | "keyspace" | "filters" | "compression";
            cf?: string;
            from?: string;
            to?: string;
            group_by?: string;
            group_length?: number;
            estimate?: boolean;
            samples?: number;
            seed?: number;
            /** @constant */
            kind: "analysis";
        };
        JobDocument: {
            /** @constant */
            schema: "varve.job/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            job: components["schemas"]["Job"];
        };
        JobsDocument: {
            /** @constant */
            schema: "varve.jobs/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            jobs: components["schemas"]["Job"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        KeyVersion: {
            seq: string;
            type: string;
            value: components["schemas"]["Bytes"];
            visible: boolean;
            block?: number;
        };
        Keys: {
            keys: string[];
        };
        KeyspaceDocument: {
            /** @constant */
            schema: "varve.keyspace/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["KeyspaceFamily"][];
        };
        KeyspaceFamily: {
            id: number;
            name: string;
            not_supported?: string;
            sampled?: components["schemas"]["SampledSlices"];
            keys: number;
            key_sizes: components["schemas"]["HistogramBar"][];
            value_sizes: components["schemas"]["HistogramBar"][];
            slices: components["schemas"]["KeyspaceSlice"][];
        };
        KeyspaceSlice: {
            from: components["schemas"]["Bytes"];
            keys: number;
            skipped: number;
            live: components["schemas"]["EntryCount"];
            shadowed: components["schemas"]["EntryCount"];
            tombstones: components["schemas"]["EntryCount"];
        };
        LayoutDocument: {
            /** @constant */
            schema: "varve.layout/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            size: number;
            problems: string[];
            ranges: components["schemas"]["LayoutRange"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        LayoutRange: {
            o: number;
            n: number;
            kind: string;
            path?: string;
            number?: string;
            bytes?: components["schemas"]["Bytes"];
            note?: string;
        };
        Level: {
            level: number;
            files: number;
            bytes: number;
            score: number;
            target_bytes?: number;
            overlap?: {
                level: number;
                files: number;
                bytes: number;
            };
        };
        LevelsDocument: {
            /** @constant */
            schema: "varve.levels/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cf: string;
            cf_id: number;
            compaction: components["schemas"]["CompactionShape"];
            levels: components["schemas"]["Level"][];
        };
        Lineage: {
            file: string;
            level: number;
            size: number;
            distance: number;
            made_by?: components["schemas"]["HistoryJob"];
            moved_by: components["schemas"]["HistoryJob"][];
            consumed_by?: components["schemas"]["HistoryJob"];
            complete: boolean;
            ancestors: components["schemas"]["LineageStep"][];
            successors: components["schemas"]["LineageStep"][];
        };
        LineageDocument: {
            /** @constant */
            schema: "varve.lineage/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            lineage: components["schemas"]["Lineage"];
        };
        LineageStep: {
            file: string;
            level: number;
            size: number;
            distance: number;
            made_by?: components["schemas"]["HistoryJob"];
            moved_by: components["schemas"]["HistoryJob"][];
            consumed_by?: components["schemas"]["HistoryJob"];
        };
        LocateDocument: {
            /** @constant */
            schema: "varve.locate/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            key: components["schemas"]["Bytes"];
            log: {
                versions: components["schemas"]["KeyVersion"][];
                covered_by?: string;
            };
            files: components["schemas"]["LocatedFile"][];
        };
        LocatedFile: {
            file: string;
            level: number;
            verdict: string;
            reason: string;
            filter?: components["schemas"]["FilterLook"];
            reads?: components["schemas"]["BlockRead"][];
            versions?: components["schemas"]["KeyVersion"][];
            comparisons?: number;
            covered_by?: string;
            problem?: components["schemas"]["Problem"];
        };
        LogEvent: {
            log: string;
            offset: number;
            time_unix_us: number;
            type: string;
            job?: number;
            data: unknown;
        };
        MultigetDocument: {
            /** @constant */
            schema: "varve.multiget/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            results: {
                key: components["schemas"]["Bytes"];
                found?: boolean;
                value?: components["schemas"]["Bytes"];
                error?: unknown;
            }[];
        };
        Option: {
            /** @enum {string} */
            scope: "db" | "cf" | "table";
            cf?: string;
            name: string;
            value: string;
            default?: string;
            source: string;
            differs: boolean;
            mutable: boolean;
        };
        OptionValues: {
            [key: string]: string | number | boolean;
        };
        OptionsDocument: {
            /** @constant */
            schema: "varve.options/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            options_file: string;
            rocksdb_version: string;
            defaults_of: string;
            options: components["schemas"]["Option"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        OptionsPatchDocument: {
            /** @constant */
            schema: "varve.options_patch/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            applied: boolean;
            options: {
                [key: string]: string;
            };
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @enum {string} */
            code: "bad_request" | "bad_key_literal" | "page_token_mismatch" | "unauthorized" | "forbidden" | "read_only" | "confirm_required" | "resource_not_found" | "target_not_found" | "cf_not_found" | "file_not_found" | "block_not_found" | "edit_not_found" | "job_not_found" | "schema_not_found" | "analysis_not_run" | "method_not_allowed" | "conflict" | "already_exists" | "locked" | "job_running" | "page_token_expired" | "file_vanished" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "corruption" | "block_checksum_mismatch" | "truncated" | "order_violation" | "manifest_mismatch" | "number_out_of_range" | "rate_limited" | "internal" | "io_error" | "unsupported_feature" | "shutting_down" | "insufficient_storage";
            exit_code: number;
            detail: string;
            location?: {
                file: string;
                offset: number;
            };
            lost_range?: unknown;
            hint?: string;
            allow?: string;
            restart_href?: string;
            start?: unknown;
            feature?: string;
            report_id?: string;
            job?: unknown;
            retryable: boolean;
        };
        PropertiesDocument: {
            /** @constant */
            schema: "varve.properties/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            properties: components["schemas"]["TableProperty"][];
            warnings: string[];
        };
        RangeDeletion: {
            from: components["schemas"]["Bytes"];
            to: components["schemas"]["Bytes"];
            seq: string;
        };
        RangeDelsDocument: {
            /** @constant */
            schema: "varve.range_dels/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            range_dels: components["schemas"]["RangeDeletion"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        ReadTotals: {
            files_considered: number;
            filters_checked: number;
            filter_false_positives: number;
            blocks_read: number;
            bytes_read: number;
            key_comparisons: number;
            perf_context: {
                [key: string]: number;
            };
        };
        Recovery: {
            losses: {
                file: string;
                offset: number;
                size: number;
                what: string;
            }[];
        };
        RootDocument: {
            /** @constant */
            schema: "varve.root/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            version: string;
            capabilities: components["schemas"]["Capabilities"];
            limits: {
                page_size: number;
                page_bytes: number;
            };
            schemas: string[];
            targets: components["schemas"]["TargetSummary"][];
        };
        SalvageDocument: {
            /** @constant */
            schema: "varve.salvage/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            size: number;
            comparator: string;
            comparator_assumed: boolean;
            by_index: boolean;
            by_scan: boolean;
            complete: boolean;
            blocks: number;
            entries: number;
            range_deletions: number;
            unverified_taken: number;
            entries_lost: number;
            losses: {
                offset: number;
                size: number;
                what: string;
                data: boolean;
                entries: number;
                unverified: number;
                lost_range?: {
                    from?: components["schemas"]["Bytes"];
                    to?: components["schemas"]["Bytes"];
                };
            }[];
        };
        SampledSlices: {
            slices: number;
            of: number;
        };
        ScanDocument: {
            /** @constant */
            schema: "varve.scan/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            rows: components["schemas"]["ScanRow"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        ScanPart: {
            n: number;
            /** @enum {string} */
            source: "memtable" | "file";
            file?: string;
            level?: number;
            /** @enum {string} */
            verdict: "rows" | "skipped" | "beyond" | "out_of_range" | "unreadable";
            entries: number;
            rows: number;
            hidden: number;
            deletions: number;
            range_deleted: number;
            too_new: number;
            blocks_read: number;
            bytes_read: number;
            reads: components["schemas"]["BlockRead"][];
            reads_more?: number;
            problem?: components["schemas"]["Problem"];
        };
        ScanReadsDocument: {
            /** @constant */
            schema: "varve.scan_reads/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            file: string;
            /** @enum {string} */
            readahead: "off" | "doubling";
            entries: number;
            reads: {
                offset: number;
                size: number;
            }[];
        };
        ScanRow: {
            key: components["schemas"]["Bytes"];
            seq?: string;
            type?: string;
            value?: components["schemas"]["Bytes"];
        };
        ScanTotals: {
            runs: number;
            files_opened: number;
            files_not_reached: number;
            entries_range_deleted: number;
            blocks_read: number;
            bytes_read: number;
            key_comparisons: number;
            reseeks: number;
            perf_context: {
                [key: string]: number;
            };
        };
        SpaceDocument: {
            /** @constant */
            schema: "varve.space/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            table_bytes: number;
            blob_bytes: number;
            wal_bytes: number;
            manifest_bytes: number;
            other_bytes: number;
            orphan_bytes: number;
            orphans: {
                name: string;
                bytes: number;
            }[];
            cfs: components["schemas"]["SpaceFamily"][];
        };
        SpaceFamily: {
            id: number;
            name: string;
            not_supported?: string;
            sampled?: components["schemas"]["SampledSlices"];
            levels: {
                level: number;
                /** @enum {string} */
                source: "wal" | "tables";
                files: number;
                file_bytes: number;
                live: components["schemas"]["EntryCount"];
                shadowed: components["schemas"]["EntryCount"];
                tombstones: components["schemas"]["EntryCount"];
            }[];
            total: {
                live: components["schemas"]["EntryCount"];
                shadowed: components["schemas"]["EntryCount"];
                tombstones: components["schemas"]["EntryCount"];
            };
            merge_operands: components["schemas"]["EntryCount"];
            range_deletions: number;
            blob_bytes: number;
            blob_garbage_bytes: number;
            raw_bytes: number;
            live_bytes?: components["schemas"]["Interval"];
            shadowed_bytes?: components["schemas"]["Interval"];
            tombstone_bytes?: components["schemas"]["Interval"];
            prefixes: {
                prefix: components["schemas"]["Bytes"];
                live: components["schemas"]["EntryCount"];
                shadowed: components["schemas"]["EntryCount"];
                tombstones: components["schemas"]["EntryCount"];
            }[];
            prefixes_complete: boolean;
        };
        StatsDocument: {
            /** @constant */
            schema: "varve.stats/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            stats: {
                [key: string]: unknown;
            };
        };
        StatsHistoryDocument: {
            /** @constant */
            schema: "varve.stats_history/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            samples: {
                [key: string]: unknown;
            }[];
        };
        TableFile: {
            id: string;
            name: string;
            cf?: string;
            cf_id?: number;
            level?: number;
            size: number;
            table_type: string;
            smallest?: components["schemas"]["Bound"];
            largest?: components["schemas"]["Bound"];
            entries?: number;
            deletions?: number;
            range_deletions?: number;
            merges?: number;
            data_blocks?: number;
            raw_key_bytes?: number;
            raw_value_bytes?: number;
            data_bytes?: number;
            codec: string;
            checksum: string;
            format_version: number;
            leveldb: boolean;
            comparator: string;
            unique_id: string;
            global_seqno?: string;
            index: {
                kind: string;
                partitions: number;
                bytes: number;
                user_keys: boolean;
                delta_values: boolean;
                handle: components["schemas"]["BlockHandle"];
            };
            filter: {
                kind: string;
                partitioned: boolean;
                bytes: number;
            };
            warnings: string[];
        };
        TableFilter: {
            kind: string;
            policy: string;
            partitioned: boolean;
            whole_keys: boolean;
            prefix_extractor: string;
            bytes: number;
            entries?: number;
            bits_per_key?: number;
            probes?: number;
            columns?: number;
            bits?: number;
            bits_set?: number;
            fill?: number;
            partitions?: {
                count: number;
                empty: number;
                smallest: number;
                largest: number;
            };
            false_positives?: {
                /** @enum {string} */
                of: "absent_keys" | "random_strings";
                asked: number;
                passed: number;
                rate: number;
                ci95: number[];
                expected?: number;
            };
            problem?: string;
        };
        TableProperty: {
            name: string;
            raw: components["schemas"]["Bytes"];
            decoded: string;
        };
        TargetDocument: {
            /** @constant */
            schema: "varve.target/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            target: components["schemas"]["TargetSummary"];
            db?: components["schemas"]["Database"];
            size?: number;
        };
        TargetSummary: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "db" | "sst" | "manifest" | "wal" | "unknown";
            live: boolean;
        };
        TargetsDocument: {
            /** @constant */
            schema: "varve.targets/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            targets: components["schemas"]["TargetSummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        TombstonesDocument: {
            /** @constant */
            schema: "varve.tombstones/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["TombstonesFamily"][];
        };
        TombstonesFamily: {
            id: number;
            name: string;
            not_supported?: string;
            sampled?: components["schemas"]["SampledSlices"];
            keys: number;
            skipped: number;
            tombstones: components["schemas"]["EntryCount"];
            range_deletions: number;
            entries: number;
            skipped_per_key?: components["schemas"]["Interval"];
            longest_runs: {
                skipped: number;
                tombstones: number;
                after?: components["schemas"]["Bytes"];
                before?: components["schemas"]["Bytes"];
            }[];
        };
        VerifyDocument: {
            /** @constant */
            schema: "varve.verify/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            clean: boolean;
            files: number;
            blocks: number;
            bytes: number;
            entries: number;
            wal_records: number;
            findings_total: number;
            findings: components["schemas"]["Finding"][];
        };
        VersionDocument: {
            /** @constant */
            schema: "varve.version/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            version: {
                manifest: string;
                edit: string;
                edits: string;
                manifest_bytes: number;
                last_seq: string;
                next_file_number: string;
                options_file: string;
                cfs: components["schemas"]["FamilySummary"][];
                missing: string[];
                orphans: string[];
                warnings: string[];
            };
        };
        VersionsChange: {
            /** @enum {string} */
            change: "removed" | "added" | "moved";
            from?: {
                id: string;
                level: number;
            };
            file: components["schemas"]["FileSummary"];
        };
        VersionsDiffDocument: {
            /** @constant */
            schema: "varve.versions_diff/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            a: components["schemas"]["VersionsSide"];
            b: components["schemas"]["VersionsSide"];
            cfs: {
                cf: string;
                in_a: boolean;
                in_b: boolean;
                removed: number;
                added: number;
                moved: number;
                same: number;
                levels: {
                    level: number;
                    files_a: number;
                    files_b: number;
                    bytes_a: number;
                    bytes_b: number;
                }[];
            }[];
            equal: boolean;
            changes: components["schemas"]["VersionsChange"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        VersionsSide: {
            manifest: string;
            edit: string;
            seq: string;
        };
        WalOperation: {
            /** @description put, delete, merge, range_deletion, log_data, ... */
            type: string;
            /** @description the family that it names */
            cf_id: number;
            /** @description that family's name, if the MANIFEST has it */
            cf?: string;
            /** @description its sequence number, unless a commit gives it */
            seq?: string;
            /** @description recovery would put it into a memtable */
            live?: boolean;
            /** @description of a range deletion: where it begins */
            key: components["schemas"]["Bytes"];
            /** @description of a range deletion: its end, exclusive */
            value: components["schemas"]["Bytes"];
        };
        WalRecord: {
            /** @description where it begins in the log */
            offset: number;
            /** @description in the log, headers included; of damage: what is lost */
            size: number;
            /** @description as stored in the header of its first fragment: masked */
            crc?: string;
            /** @description of the whole batch */
            payload_crc32c?: string;
            /** @description of the batch */
            batch_bytes?: number;
            /** @description sequence number of its first operation */
            seq?: string;
            /** @description operations, as its header says */
            count?: number;
            /** @description what it does */
            ops?: components["schemas"]["WalOperation"][];
            /** @description what is wrong here: no batch */
            damage?: string;
            /** @description the log ends here, as a crash leaves it: no damage */
            unfinished?: boolean;
        };
        WalRecordsDocument: {
            /** @constant */
            schema: "varve.wal_records/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            wal: string;
            records: components["schemas"]["WalRecord"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        WalSegment: {
            /** @description number of the log */
            id: string;
            /** @description path within the database */
            name: string;
            /** @description of the file */
            size: number;
            /** @description would be replayed at open; the others are obsolete */
            live: boolean;
            /** @description of a file that is used again */
            recyclable: boolean;
            /** @description whole ones */
            batches: number;
            /** @description of these batches */
            operations: number;
            /** @description lowest sequence number in it */
            first_seq?: string;
            /** @description highest sequence number in it */
            last_seq?: string;
            /** @description lost to damage */
            damaged_bytes: number;
            /** @description of a last record that a crash cut off */
            unfinished_bytes: number;
            /** @description where, and what: the first few places */
            damage: string[];
        };
        WalsDocument: {
            /** @constant */
            schema: "varve.wals/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            min_log_number: string;
            segments: components["schemas"]["WalSegment"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AsOf = components['schemas']['AsOf'];
export type Batch = components['schemas']['Batch'];
export type BatchDocument = components['schemas']['BatchDocument'];
export type Block = components['schemas']['Block'];
export type BlockDocument = components['schemas']['BlockDocument'];
export type BlockEntriesDocument = components['schemas']['BlockEntriesDocument'];
export type BlockEntry = components['schemas']['BlockEntry'];
export type BlockHandle = components['schemas']['BlockHandle'];
export type BlockRead = components['schemas']['BlockRead'];
export type BlocksDocument = components['schemas']['BlocksDocument'];
export type Bound = components['schemas']['Bound'];
export type Bytes = components['schemas']['Bytes'];
export type Capabilities = components['schemas']['Capabilities'];
export type CfDocument = components['schemas']['CfDocument'];
export type CfsDocument = components['schemas']['CfsDocument'];
export type CompactDocument = components['schemas']['CompactDocument'];
export type CompactionShape = components['schemas']['CompactionShape'];
export type CompressionDocument = components['schemas']['CompressionDocument'];
export type CompressionFamily = components['schemas']['CompressionFamily'];
export type Database = components['schemas']['Database'];
export type DiffDocument = components['schemas']['DiffDocument'];
export type DigestDocument = components['schemas']['DigestDocument'];
export type Edit = components['schemas']['Edit'];
export type EditBlobFile = components['schemas']['EditBlobFile'];
export type EditCounters = components['schemas']['EditCounters'];
export type EditFile = components['schemas']['EditFile'];
export type EditsDocument = components['schemas']['EditsDocument'];
export type EntriesDocument = components['schemas']['EntriesDocument'];
export type Entry = components['schemas']['Entry'];
export type EntryCount = components['schemas']['EntryCount'];
export type EventsDocument = components['schemas']['EventsDocument'];
export type ExplainDocument = components['schemas']['ExplainDocument'];
export type ExplainReadsDocument = components['schemas']['ExplainReadsDocument'];
export type ExplainScanDocument = components['schemas']['ExplainScanDocument'];
export type ExplainStep = components['schemas']['ExplainStep'];
export type ExplainedGet = components['schemas']['ExplainedGet'];
export type FamilySummary = components['schemas']['FamilySummary'];
export type FamilyWrites = components['schemas']['FamilyWrites'];
export type FileDocument = components['schemas']['FileDocument'];
export type FileSummary = components['schemas']['FileSummary'];
export type FilesDocument = components['schemas']['FilesDocument'];
export type FilterDocument = components['schemas']['FilterDocument'];
export type FilterLook = components['schemas']['FilterLook'];
export type FilterProbeDocument = components['schemas']['FilterProbeDocument'];
export type FiltersDocument = components['schemas']['FiltersDocument'];
export type FiltersFamily = components['schemas']['FiltersFamily'];
export type Finding = components['schemas']['Finding'];
export type FindingsDocument = components['schemas']['FindingsDocument'];
export type FlushDocument = components['schemas']['FlushDocument'];
export type FooterDocument = components['schemas']['FooterDocument'];
export type GetDocument = components['schemas']['GetDocument'];
export type GetResult = components['schemas']['GetResult'];
export type HexDocument = components['schemas']['HexDocument'];
export type HistogramBar = components['schemas']['HistogramBar'];
export type HistoryDocument = components['schemas']['HistoryDocument'];
export type HistoryFile = components['schemas']['HistoryFile'];
export type HistoryJob = components['schemas']['HistoryJob'];
export type IndexDocument = components['schemas']['IndexDocument'];
export type Interval = components['schemas']['Interval'];
export type Job = components['schemas']['Job'];
export type JobBody = components['schemas']['JobBody'];
export type JobDocument = components['schemas']['JobDocument'];
export type JobsDocument = components['schemas']['JobsDocument'];
export type KeyVersion = components['schemas']['KeyVersion'];
export type Keys = components['schemas']['Keys'];
export type KeyspaceDocument = components['schemas']['KeyspaceDocument'];
export type KeyspaceFamily = components['schemas']['KeyspaceFamily'];
export type KeyspaceSlice = components['schemas']['KeyspaceSlice'];
export type LayoutDocument = components['schemas']['LayoutDocument'];
export type LayoutRange = components['schemas']['LayoutRange'];
export type Level = components['schemas']['Level'];
export type LevelsDocument = components['schemas']['LevelsDocument'];
export type Lineage = components['schemas']['Lineage'];
export type LineageDocument = components['schemas']['LineageDocument'];
export type LineageStep = components['schemas']['LineageStep'];
export type LocateDocument = components['schemas']['LocateDocument'];
export type LocatedFile = components['schemas']['LocatedFile'];
export type LogEvent = components['schemas']['LogEvent'];
export type MultigetDocument = components['schemas']['MultigetDocument'];
export type Option = components['schemas']['Option'];
export type OptionValues = components['schemas']['OptionValues'];
export type OptionsDocument = components['schemas']['OptionsDocument'];
export type OptionsPatchDocument = components['schemas']['OptionsPatchDocument'];
export type Problem = components['schemas']['Problem'];
export type PropertiesDocument = components['schemas']['PropertiesDocument'];
export type RangeDeletion = components['schemas']['RangeDeletion'];
export type RangeDelsDocument = components['schemas']['RangeDelsDocument'];
export type ReadTotals = components['schemas']['ReadTotals'];
export type Recovery = components['schemas']['Recovery'];
export type RootDocument = components['schemas']['RootDocument'];
export type SalvageDocument = components['schemas']['SalvageDocument'];
export type SampledSlices = components['schemas']['SampledSlices'];
export type ScanDocument = components['schemas']['ScanDocument'];
export type ScanPart = components['schemas']['ScanPart'];
export type ScanReadsDocument = components['schemas']['ScanReadsDocument'];
export type ScanRow = components['schemas']['ScanRow'];
export type ScanTotals = components['schemas']['ScanTotals'];
export type SpaceDocument = components['schemas']['SpaceDocument'];
export type SpaceFamily = components['schemas']['SpaceFamily'];
export type StatsDocument = components['schemas']['StatsDocument'];
export type StatsHistoryDocument = components['schemas']['StatsHistoryDocument'];
export type TableFile = components['schemas']['TableFile'];
export type TableFilter = components['schemas']['TableFilter'];
export type TableProperty = components['schemas']['TableProperty'];
export type TargetDocument = components['schemas']['TargetDocument'];
export type TargetSummary = components['schemas']['TargetSummary'];
export type TargetsDocument = components['schemas']['TargetsDocument'];
export type TombstonesDocument = components['schemas']['TombstonesDocument'];
export type TombstonesFamily = components['schemas']['TombstonesFamily'];
export type VerifyDocument = components['schemas']['VerifyDocument'];
export type VersionDocument = components['schemas']['VersionDocument'];
export type VersionsChange = components['schemas']['VersionsChange'];
export type VersionsDiffDocument = components['schemas']['VersionsDiffDocument'];
export type VersionsSide = components['schemas']['VersionsSide'];
export type WalOperation = components['schemas']['WalOperation'];
export type WalRecord = components['schemas']['WalRecord'];
export type WalRecordsDocument = components['schemas']['WalRecordsDocument'];
export type WalSegment = components['schemas']['WalSegment'];
export type WalsDocument = components['schemas']['WalsDocument'];
export type $defs = Record<string, never>;
export interface operations {
    get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RootDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CfsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CfDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files: {
        parameters: {
            query?: {
                /** @description column family, by name or id; "default" if not given */
                cf?: string;
                /** @description of this level only */
                level?: number | string;
                /** @description that may hold this key or a later one (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                overlaps_from?: string;
                /** @description that may hold a key before this one (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                overlaps_to?: string;
                /** @description level if not given */
                order_by?: "level" | "size" | "number" | "age" | "overlap";
                /** @description as after this edit; the newest if not given */
                edit?: number | string;
                /** @description open the tables: entries and deletions too */
                properties?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n: {
        parameters: {
            query?: {
                /** @description properties, lineage or both, separated by a comma */
                include?: string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description only the part that holds this byte */
                at?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_index: {
        parameters: {
            query?: {
                /** @description the offset of a partition */
                partition?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_filter: {
        parameters: {
            query?: {
                /** @description absent keys to ask for; 20000 if not given */
                ask?: number | string;
                /** @description of what they are made from */
                seed?: number | string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_scan_reads: {
        parameters: {
            query?: {
                /** @description doubling if not given */
                readahead?: "off" | "doubling";
                /** @description to step over at most; 1000 if not given */
                entries?: number | string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanReadsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_filter_probe: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterProbeDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks: {
        parameters: {
            query?: {
                /** @description of this kind only */
                kind?: "data" | "filter" | "filter_partition" | "filter_index" | "per_block_filter" | "index" | "index_partition" | "properties" | "dictionary" | "range_deletions" | "metaindex" | "meta";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocksDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks_offset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
                offset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks_offset_entries: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
                offset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockEntriesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_hex: {
        parameters: {
            query?: {
                /** @description the first; 0 if not given */
                offset?: number | string;
                /** @description how many; 512 if not given, at most 65536 */
                size?: number | string;
                /** @description of the block that begins here */
                block?: number | string;
                /** @description of what the block decompresses to */
                decoded?: boolean;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HexDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal_n_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_manifest_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_entries: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description key to stop before (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description no values */
                keys_only?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntriesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_levels: {
        parameters: {
            query?: {
                /** @description as after this edit; the newest if not given */
                edit?: number | string;
                /** @description open the tables: scores count deletions */
                properties?: boolean;
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LevelsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_options: {
        parameters: {
            query?: {
                /** @description those at their defaults as well */
                all?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_targets_t_cfs_cf_options: {
        parameters: {
            query?: {
                /** @description only say whether they could be set */
                validate_only?: boolean;
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionValues"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsPatchDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_options: {
        parameters: {
            query?: {
                /** @description those at their defaults as well */
                all?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_versions_edit: {
        parameters: {
            query?: {
                /** @description open the tables: scores count deletions */
                properties?: boolean;
            };
            header?: never;
            path: {
                t: string;
                edit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_versions_diff: {
        parameters: {
            query?: {
                /** @description an edit; the newest if not given */
                a?: number | string;
                /** @description another; the newest if not given */
                b?: number | string;
                /** @description the target that b is an edit of; this one if not given */
                against?: string;
                /** @description of this column family only */
                cf?: string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionsDiffDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_manifest_edits: {
        parameters: {
            query?: {
                /** @description the first edit, counted from 1 */
                from?: number | string;
                /** @description the last edit */
                to?: number | string;
                /** @description of this column family only */
                cf?: string;
                /** @description edits of this kind only */
                kind?: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "add_family" | "drop_family" | "counters";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_history: {
        parameters: {
            query?: {
                /** @description of this column family only */
                cf?: string;
                /** @description jobs of this kind only */
                kind?: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_lineage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal_n_records: {
        parameters: {
            query?: {
                /** @description of the first record */
                from_offset?: number | string;
                /** @description batches without their operations */
                headers?: boolean;
                /** @description of this column family only */
                cf?: string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalRecordsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_events: {
        parameters: {
            query?: {
                /** @description of these types only, separated by commas */
                types?: string;
                /** @description of this job only */
                job?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_properties: {
        parameters: {
            query?: {
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertiesDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_footer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FooterDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_range_dels: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeDelsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_bytes: {
        parameters: {
            query?: {
                /** @description the offset of a block: its bytes, trailer included */
                block?: number | string;
                /** @description what the block decompresses to */
                decoded?: boolean;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_stats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_stats_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsHistoryDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_get: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_multiget: {
        parameters: {
            query?: {
                /** @description no values */
                keys_only?: boolean;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keys"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultigetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_explain: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description what to do */
                op?: "get";
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_explain: {
        parameters: {
            query?: {
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keys"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainReadsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_explain_scan: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description key to stop before (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description to scan; 100 if not given */
                rows?: number | string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainScanDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_locate: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocateDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_scan: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description key to stop before (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description only keys that start so (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                prefix?: string;
                /** @description from the last to the first */
                reverse?: boolean;
                /** @description no values */
                keys_only?: boolean;
                /** @description every stored version, deletions included */
                versions?: boolean;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_flush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlushDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_batch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobBody"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_targets_t_jobs_j: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j_result: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyDocument"] | components["schemas"]["DigestDocument"] | components["schemas"]["DiffDocument"] | components["schemas"]["CompactDocument"] | components["schemas"]["SalvageDocument"] | components["schemas"]["SpaceDocument"] | components["schemas"]["TombstonesDocument"] | components["schemas"]["KeyspaceDocument"] | components["schemas"]["FiltersDocument"] | components["schemas"]["CompressionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j_findings: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_analyses_analysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                analysis: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceDocument"] | components["schemas"]["TombstonesDocument"] | components["schemas"]["KeyspaceDocument"] | components["schemas"]["FiltersDocument"] | components["schemas"]["CompressionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_schema_name_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
